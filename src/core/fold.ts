/** Case, diacritics and width folded; what is left decides whether two words are the same. */
export function fold(word: string): string {
  if (/^[a-zA-Z0-9]+$/.test(word)) return word.toLowerCase()
  return word
    .replaceAll(narrowHangul, fullHangul)
    .replaceAll(widthVariants, (run) => run.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(foldedMarks, '')
    .replaceAll(letterVariants, (letter) => plainLetter.get(letter) ?? letter)
    .normalize('NFC')
}

/** An emoji; skin tones and variation selectors are dropped; joiners and tags stay, for they make one emoji of several characters. */
export function foldEmoji(raw: string): string {
  const first = String.fromCodePoint(raw.codePointAt(0) ?? 0)
  const rest = raw.slice(first.length).replaceAll(/[\p{EMod}\uFE0E\uFE0F]/gu, '')
  if (first === '#') return `＃${rest}`
  if (first === '*') return `＊${rest}`
  return (/[０-９]/.test(first) ? first.normalize('NFKC') : first) + rest
}

/** Combining marks that change a letter; the vowel signs of Indic scripts are letters. */
const foldedMarks = new RegExp(
  [
    '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]', // of any script
    '[\\u0483-\\u0489]', // Cyrillic
    '[\\u0E31\\u0E34-\\u0E3A\\u0E47-\\u0E4E\\u0EB1\\u0EB4-\\u0EBC\\u0EC8-\\u0ECE]', // Thai and Lao
    '[\\u3099\\u309A]', // the voicing of kana
    '[\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7]', // Hebrew
    '[\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E4\\u06E7\\u06E8\\u06EA-\\u06ED]', // Arabic
    '[\\u{1D165}-\\u{1D169}\\u{1D16D}-\\u{1D172}\\u{1D17B}-\\u{1D182}\\u{1D185}-\\u{1D18B}\\u{1D1AA}-\\u{1D1AD}]', // of notes
    '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]', // variation selectors
  ].join('|'),
  'gu',
)

/** Letters that `toLowerCase` leaves apart from those they are a form of. */
const plainLetter = new Map([
  ['ς', 'σ'],
  ['ſ', 's'],
  ['ϐ', 'β'],
  ['ϑ', 'θ'],
  ['ϕ', 'φ'],
  ['ϖ', 'π'],
  ['ϰ', 'κ'],
  ['ϱ', 'ρ'],
  ['ϵ', 'ε'],
])

const letterVariants = /[ςſϐϑϕϖϰϱϵ]/gu

/** Full-width and half-width forms. */
const widthVariants = /[\uFF01-\uFF9F\uFFE0-\uFFEE]+/gu

const narrowHangul = /[\uFFA0-\uFFDC]/gu

/** NFKC would make syllables of half-width letters, which are letters that stand for themselves. */
function fullHangul(letter: string): string {
  const code = letter.charCodeAt(0)
  if (code === 0xffa0) return '\u3164'
  if (code < 0xffc2) return String.fromCharCode(code - 0xffa1 + 0x3131)
  const group = (code - 0xffc2) >>> 3
  return String.fromCharCode(code - 0xffc2 - group * 2 + 0x314f)
}
