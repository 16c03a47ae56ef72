/**
 * Stems of English words: what `deploy`, `deploys`, `deployed` and `deploying` have in common. Inflection
 * alone; a derived word (`deployment`) is another word. A stem is a key to compare, not always a word, and
 * the stem of a stem means nothing.
 */

/** The stem of a folded word. Words that hold anything but a–z, and almost all of less than four letters, are their own. */
export function stemOf(word: string): string {
  if (word.length > longestInflected || (word.length < 4 && !irregular.has(word))) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= mostKept) stems.clear()
  const stem = /^[a-z]+$/.test(word) ? stemmed(word) : word
  stems.set(word, stem)
  return stem
}

/** No English word is longer. */
const longestInflected = 32

/** Stems are remembered: a text repeats its words. */
const stems = new Map<string, string>()
const mostKept = 20_000

function stemmed(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return ending(known)
  const singular = withoutS(word)
  const base = irregular.get(singular) ?? singular
  return ending(base === singular ? withoutEdOrIng(base) : base)
}

/** `builds`: build; `matches`: matche, whose e goes at the end; `queries`: queri */
function withoutS(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word) || invariable.has(word)) return word
  if (word.length > 4 && word.endsWith('ies')) return shortY(word.slice(0, -2))
  return word.slice(0, -1)
}

function withoutEdOrIng(word: string): string {
  if (invariable.has(word) || /(?:string|spring|eed)$/.test(word)) return word
  if (word.endsWith('ied')) return word.length === 4 ? word.slice(0, -1) : shortY(word.slice(0, -2))
  const base = /^(.*)(?:ed|ing)$/.exec(word)?.[1]
  if (base === undefined || base.length < 2 || !/[aeiou]|.y/.test(base)) return word
  // running, planned, but adding
  if (base.length > 3 && /([bdgkmnprtv])\1$/.test(base)) return base.slice(0, -1)
  // coding, typed, using
  if (oneShortSyllable.test(base) || /^[aeiou][^aeiouy]$/.test(base)) return `${base}e`
  return base
}

/** tri, dri: try, dry, which are too short for an ending of their own. */
function shortY(base: string): string {
  return base.length <= 3 ? base.replace(/i$/, 'y') : base
}

/**
 * What forms of one word still differ in: a last e (`delete`, delet|ed), y or i (`query`, queri|es), and a
 * doubled l (`control`, controll|ed). `code` and `plane` keep their e, for there may be a `cod` and a `plan`.
 */
function ending(word: string): string {
  if (word.length < 4) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`
  if (/[aeiouy][^aeiou]*[aeiou]ll$/.test(word)) return word.slice(0, -1)
  if (!word.endsWith('e') || word.endsWith('ee') || withE.has(word)) return word
  const rest = word.slice(0, -1)
  return oneShortSyllable.test(rest) ? word : rest
}

/** Consonants, one vowel, one consonant: the words that would double it if they had no e. */
const oneShortSyllable = /^(?:[^aeiou]*|[^aeiou]*[qg]u)(?:[aeiou]|(?<!^)y)[^aeiouwxy]$/

/** Not inflected, though they look it. */
const invariable = setOf(`
  alias always atlas besides bias canvas chaos christmas gas https jenkins kansas kubernetes kudos lens news
  pandas perhaps postgres series sometimes species texas whereas towards afterwards
  anything ceiling during embed evening everything lightning morning naked nothing offspring pudding
  sacred sibling something viking wedding wicked`)

/** Without their e they would be other words. */
const withE = setOf(`
  aide ante binge caste coupe corpse finale forte humane locale lunge morale paste premiere rationale
  route secrete severe singe suite tinge unite urbane`)

/** Forms that no rule finds, each to its word. */
const irregular = formsOf(`
  arise arose arisen; be am is are was were been being; beat beaten; become became; begin began begun;
  bend bent; bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought;
  build built; buy bought; catch caught; choose chose chosen; cling clung; come came; deal dealt; dig dug;
  do does did done doing; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
  fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung; fly flew flown;
  forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given;
  go goes went gone going; grow grew grown; hang hung; have has had having; hear heard; hide hid hidden;
  hold held; keep kept; know knew known; lay laid; lead led; lend lent; lose lost; make made;
  mean meant; meet met; mistake mistook mistaken; override overrode overridden;
  overwrite overwrote overwritten; pay paid; prove proven; rebuild rebuilt; redo redoes redid redone;
  rerun reran; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise risen; run ran;
  say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shine shone;
  shoot shot; show shown; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid;
  speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck;
  strike struck stricken; swear swore sworn; sweep swept; swim swam swum; swing swung;
  take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
  understand understood; undo undoes undid undone; wake woke woken; wear wore worn; win won;
  withdraw withdrew withdrawn; write wrote written;
  die dying; lie lying; tie tying; untie untying; agree agreed; free freed; guarantee guaranteed; decree decreed;
  dye dyed dyeing; age ageing; paste pasted pasting pastes; route routed routing routes;
  focus focussed focussing; panic panicked panicking; mimic mimicked mimicking;
  traffic trafficked trafficking; quiz quizzes quizzed quizzing; embed embeds;
  id ids; pr prs; db dbs; vm vms; unite unites united uniting;
  bus buses bused busing; gas gases; api apis; uri uris; cli clis; gui guis; cpu cpus; gpu gpus; menu menus;
  taxi taxis; emoji emojis; wiki wikis; axis axes; crisis crises; thesis theses;
  analysis analyses; hypothesis hypotheses; parenthesis parentheses; diagnosis diagnoses; basis;
  synopsis synopses; emphasis emphases; synthesis syntheses;
  child children; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese; knife knives;
  wife wives; half halves; shelf shelves; loaf loaves; thief thieves; wolf wolves; calf calves;
  index indices; vertex vertices; matrix matrices; appendix appendices`)

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

function formsOf(lines: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const line of lines.split(';')) {
    const [word = '', ...inflected] = line.trim().split(/\s+/)
    for (const form of [word, ...inflected]) forms.set(form, word)
  }
  return forms
}
