import { describe, expect, it } from 'vitest'
import { commonWords } from '../../src/core/common-words.ts'
import { stemOf } from '../../src/core/stems.ts'
import { wordsOf } from '../../src/core/words.ts'

/** One word and its forms on each line. */
const forms = `
  deploy deploys deployed deploying
  run runs ran running
  use uses used using
  plan plans planned planning
  plane planes planed
  code codes coded coding
  query queries queried querying
  try tries tried trying
  apply applies applied applying
  copy copies copied copying
  delete deletes deleted deleting
  edit edits edited editing
  update updates updated updating
  create creates created creating
  treat treats treated treating
  repeat repeats repeated repeating
  add adds added adding
  act acts acted acting
  ask asks asked asking
  own owns owned owning
  fix fixes fixed fixing
  play plays played playing
  view views viewed viewing
  pass passes passed passing
  process processes processed processing
  access accesses accessed accessing
  match matches matched matching
  cache caches cached caching
  cash cashes cashed cashing
  push pushes pushed pushing
  change changes changed changing
  hang hangs hung hanging
  merge merges merged merging
  serve serves served serving
  remove removes removed removing
  resolve resolves resolved resolving
  restore restores restored restoring
  store stores stored storing
  star stars starred starring
  start starts started starting
  configure configures configured configuring
  compile compiles compiled compiling
  parse parses parsed parsing
  close closes closed closing
  release releases released releasing
  raise raises raised raising
  cause causes caused causing
  focus focuses focused focusing focussed
  analyze analyzes analyzed analyzing
  queue queues queued queuing queueing
  value values valued valuing
  argue argues argued arguing
  continue continues continued continuing
  install installs installed installing
  call calls called calling
  pull pulls pulled pulling
  fill fills filled filling
  file files filed filing
  cancel cancels cancelled canceled cancelling canceling
  control controls controlled controlling
  label labels labelled labeled labeling
  commit commits committed committing
  refer refers referred referring
  debug debugs debugged debugging
  format formats formatted formatting
  log logs logged logging
  tag tags tagged tagging
  ship ships shipped shipping
  stop stops stopped stopping
  drop drops dropped dropping
  quit quits quitting
  quote quotes quoted quoting
  type types typed typing
  size sizes sized sizing
  make makes made making
  take takes took taken taking
  give gives gave given giving
  get gets got gotten getting
  go goes went gone going
  do does did done doing
  be am is are was were been being
  have has had having
  see sees saw seen seeing
  say says said saying
  pay pays paid paying
  buy buys bought buying
  bring brings brought bringing
  think thinks thought thinking
  catch catches caught catching
  teach teaches taught teaching
  find finds found finding
  build builds built building
  rebuild rebuilds rebuilt rebuilding
  send sends sent sending
  spend spends spent spending
  lose loses lost losing
  meet meets met meeting
  feed feeds fed feeding
  lead leads led leading
  read reads reading
  write writes wrote written writing
  rewrite rewrites rewrote rewritten rewriting
  overwrite overwrites overwrote overwritten overwriting
  override overrides overrode overridden overriding
  drive drives drove driven driving
  choose chooses chose chosen choosing
  freeze freezes froze frozen freezing
  break breaks broke broken breaking
  speak speaks spoke spoken speaking
  hide hides hid hidden hiding
  bite bites bitten biting
  begin begins began begun beginning
  sing sings sang sung singing
  win wins won winning
  throw throws threw thrown throwing
  know knows knew known knowing
  show shows showed shown showing
  fall falls fell fallen falling
  tell tells told telling
  hold holds held holding
  keep keeps kept keeping
  come comes came coming
  become becomes became becoming
  forget forgets forgot forgotten forgetting
  die dies died dying
  tie ties tied tying
  agree agrees agreed agreeing
  free frees freed freeing
  proceed proceeds proceeded proceeding
  need needs needed needing
  embed embeds embedded embedding
  paste pastes pasted pasting
  unite unites united uniting
  sync syncs synced syncing
  ping pings pinged pinging
  string strings
  thing things
  setting settings
  class classes
  box boxes
  index indexes indices
  bus buses
  status statuses
  virus viruses
  alias aliases aliased aliasing
  canvas canvases
  bias biases biased
  analysis analyses
  parenthesis parentheses
  hypothesis hypotheses
  crisis crises
  axis axes
  api apis
  id ids
  cpu cpus
  schema schemas
  photo photos
  hero heroes
  echo echoes echoed echoing
  shoe shoes
  cookie cookies
  movie movies
  entry entries
  day days
  key keys keyed keying
  tree trees
  edge edges
  page pages paged paging
  branch branches branched branching
  child children
  knife knives
  person persons
  test tests tested testing
  suite suites
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '))

const apart = `
  news new, thing the, nothing noth, sing single, sing singe, wing win, red reed, bed be, need nee,
  string str, substring substr, king k, ring r, bus bu, status stat, plan plane, code cod, care car,
  note not, here her, node nod, mode mod, hope hop, tape tap, bite bit, file fill, use us, past paste,
  local locale, moral morale, human humane, suit suite, guid guide, even evening, ceiling ceil,
  wedding wed, sibling sible, unit unite, cash cache, bath bat, star stare, lens len, species spec,
  series ser, always alway, this thi, speed sped, feed fee, seed see, indeed inde, hundred hunt,
  during dur, morning more, redis red, kubernetes kubernete, https http, alias alia, canvas canva,
  class clas, process proces, left leave, address addres, universe university, general generate,
  organ organize, policy police, import important, tens tense, laps lapse, brows browse, deploy deployment,
  wander wand, better bet, later late, number numb, string sting, rating rat, staging stag, planing planning
`
  .split(',')
  .map((pair) => pair.trim().split(/\s+/))

describe('stemOf', () => {
  it.each(forms)('brings the forms of %s together', (word, ...inflected) => {
    for (const form of inflected) expect([form, stemOf(form)]).toEqual([form, stemOf(word)])
  })

  it.each(apart)('keeps %s and %s apart', (one = '', other = '') => {
    expect(stemOf(one)).not.toBe(stemOf(other))
  })

  it('conflates no two of the words above', () => {
    const words = new Map<string, string>()
    for (const [word = ''] of forms) {
      expect([word, words.get(stemOf(word))]).toEqual([word, undefined])
      words.set(stemOf(word), word)
    }
  })

  it.each(['us', 'cat', 'bed', 'sha256', 'größen', 'wörtern', '预', '👍', 'a'.repeat(300) + 's', ''])(
    'leaves %j as it is',
    (word) => {
      expect(stemOf(word)).toBe(word)
    },
  )
})

describe('commonWords', () => {
  it('holds words as wordsOf gives them', () => {
    for (const word of commonWords) expect(wordsOf(word).map(({ text }) => text)).toEqual([word])
  })

  it('decides nothing by a question’s own words', () => {
    const left = wordsOf("Where did we say that the shop's deploy wouldn’t work?")
      .map(({ text }) => text)
      .filter((word) => !commonWords.has(word))
    expect(left).toEqual(['say', 'shop', 'deploy', 'work'])
  })
})
