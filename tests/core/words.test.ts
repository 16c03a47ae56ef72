import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryTerms, wordsOf } from '../../src/core/words.ts'

const folded = (text: string): string[] => wordsOf(text).map((word) => word.text)

const partsOf = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (word.parts ?? []).map((part) => part.text))

const same = (...words: string[]): object => ({ words, parts: words })

const base64 = (length: number): string => 'aB3/x+9Q'.repeat(length).slice(0, length)

describe('wordsOf', () => {
  it.each([
    ['Deploy the SHOP', ['deploy', 'the', 'shop']],
    ["don’t don't", ['don', 't', 'don', 't']],
    ['src/worker/open.ts', ['src', 'worker', 'open', 'ts']],
    ['session_query-sqlite:a.b', ['session', 'query', 'sqlite', 'a', 'b']],
    ['-- " * ^ ( ) : …', []],
    ['', []],
  ])('cuts %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
  })

  it.each([
    ['Ångström résumé ΣΊΣΥΦΟΣ İstanbul', ['angstrom', 'resume', 'σισυφοσ', 'istanbul']],
    ['ς Σ ſ ϑ', ['σ', 'σ', 's', 'θ']],
    ['cafe\u0301', ['cafe']],
    ['Ёлка й а\u0483', ['елка', 'и', 'а']],
    ['שָׁלוֹם', ['שלום']],
    ['مُحَمَّدٌ قُرْآن', ['محمد', 'قران']],
    ['Tiếng Việt', ['tieng', 'viet']],
    ['a\u1AB0 b\u1DC0 c\u20D0 d\uFE20', ['a', 'b', 'c', 'd']],
    ['हिन्दी की', ['हिन्दी', 'की']],
    ['がか パハ', ['か', 'か', 'ハ', 'ハ']],
    ['Größe ﬁ', ['große', 'ﬁ']],
  ])('folds case and diacritics, and no more, of %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
    expect(folded(text.normalize('NFD'))).toEqual(expected)
  })

  it.each([
    ['ＢｉｇＱｕｅｒｙ', ['bigquery']],
    ['ﾎﾞｯｸｽｰ', ['ホ', 'ッ', 'ク', 'ス', 'ー']],
    ['ﾡￂﾾￜ', ['ㄱㅏㅎㅣ']],
    ['한국어'.normalize('NFD'), ['한국어']],
    ['① ㎏', ['①']],
  ])('folds width alone of %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
  })

  it.each([
    ['会议纪要', ['会', '议', '纪', '要']],
    ['重跑build-cache后', ['重', '跑', 'build', 'cache', '后']],
    ['サンドボックス', ['サ', 'ン', 'ト', 'ホ', 'ッ', 'ク', 'ス']],
    ['ไทยที่', ['ไ', 'ท', 'ย', 'ท']],
    ['ລາວ ខ្មែរ မြန်မာ', ['ລ', 'າ', 'ວ', 'ខ្', 'មែ', 'រ', 'မြ', 'န်', 'မာ']],
    ['葛\u{E0100}飾', ['葛', '飾']],
    ['𠮷野', ['𠮷', '野']],
  ])('takes each character for a word in %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
  })

  it.each([
    ['ship it 🚀 now', ['ship', 'it', '🚀', 'now']],
    ['👍 👍🏽 ❤️ ❤', ['👍', '👍', '❤', '❤']],
    ['👨‍👩‍👧👩🏽‍💻', ['👨‍👩‍👧', '👩‍💻']],
    ['🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
    ['1️⃣2⃣#️⃣*️⃣ v1️⃣', ['1⃣', '2⃣', '＃⃣', '＊⃣', 'v1']],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳‍🌈']],
    ['🏽 🇩', ['🏽', '🇩']],
    ['ok👍🏿ok', ['ok', '👍', 'ok']],
  ])('takes emoji for words in %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
  })

  it('is not harmed by NULs and halves of pairs', () => {
    expect(folded('a\u0000b \ud83d c\udc4dd 🚀\ud83d')).toEqual(['a', 'b', 'c', 'd', '🚀'])
  })

  it('says where each word and each part stands', () => {
    const text = 'Das ﾎﾞx getÉtat e\u0301! 🚀'
    const slices = wordsOf(text).map(({ start, end }) => text.slice(start, end))
    expect(slices).toEqual(['Das', 'ﾎﾞ', 'x', 'getÉtat', 'e\u0301', '🚀'])
    const parts = wordsOf(text).flatMap((word) => word.parts ?? [])
    expect(parts.map(({ start, end }) => text.slice(start, end))).toEqual(['get', 'État'])
  })

  it.each([
    ['getShippingMethodId', ['get', 'shipping', 'method', 'id']],
    ['HTTPServer', ['http', 'server']],
    ['parseHTTPRequest2', ['parse', 'http', 'request2']],
    ['utf8Decoder', ['utf8', 'decoder']],
    ['v2Api', ['v2', 'api']],
    ['sha256sum', []],
    ['foldSurface_ofLog', ['fold', 'surface', 'of', 'log']],
    ['userIDs URLs', ['user', 'ids']],
    ['größeÄndern', ['große', 'andern']],
    ['größeÄndern'.normalize('NFD'), ['große', 'andern']],
    ['ｆｏｌｄＳｕｒｆａｃｅ', ['fold', 'surface']],
    ['открытьФайл', ['открыть', 'фаил']],
    ['Deploy DEPLOY deploy 2024 Élan ÉLAN 会议', []],
    ['3f2a9c81d4e5b6a7 aB3xY9zQ1wE5', []],
  ])('takes %j apart', (text, expected) => {
    expect(partsOf(text)).toEqual(expected)
  })

  it.each([
    ['see data:image/png;base64,iVBORw0KGgo= here', ['see', 'here']],
    ['(DATA:image/svg+xml;charset=utf-8;BASE64,PHN2Zz4=)', []],
    ['"\\ndata:;base64,QUJD" end', ['n', 'end']],
    ['url(data:image/svg+xml,%3Csvg%20a) end', ['url', 'end']],
    ['metadata:text/plain,word data:a,b', ['metadata', 'text', 'plain', 'word', 'data', 'a', 'b']],
    [`before ${base64(256)}== after`, ['before', 'after']],
    [`before é${base64(5000)}é after`, ['before', 'e', 'e', 'after']],
    [`${base64(300)} ${base64(300)}`, []],
  ])('finds no words in the data of %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
    expect(queryTerms(text).flatMap((term) => term.words)).toEqual(expected)
  })

  it('finds data at every place, and words in what is shorter', () => {
    for (let lead = 0; lead < 300; lead += 7) {
      const filler = '. '.repeat(lead)
      expect(folded(`${filler}${'aB3z'.repeat(64)}. b`)).toEqual(['b'])
      expect(folded(`${filler}${'a'.repeat(255)}. b`)).toEqual(['a'.repeat(255), 'b'])
    }
  })

  it.each([
    ['é', 20_000_000, 78_125],
    ['a', 20_000_000, 78_125],
    ['aB3', 20_000_000, 0],
    ['e\u0301', 20_000_000, 78_125],
    ['👩‍', 20_000_000, 202_021],
    ['data:image/png;a=b', 2_000_000, 444_445],
    ['data:image/png,', 20_000_000, 0],
    ['か\u3099', 2_000_000, 1_000_000],
    ['🏽', 2_000_000, 1_000_000],
    ['𐐀', 2_000_000, 3907],
  ])('cuts %j, repeated to %i units', (unit, length, words) => {
    expect(wordsOf(unit.repeat(length / unit.length)).length).toBe(words)
  })

  it('is fast', () => {
    const text = 'The build failed; we called getShippingMethodId(order) in src/open.ts. '.repeat(
      30_000,
    )
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      wordsOf(text)
      return performance.now() - start
    })
    // 5 MB/s is what indexing needs; a machine that is busy with other tests gets half as long again.
    expect(Math.min(...times)).toBeLessThan((text.length / 5_000_000) * 1500)
  })
})

/** What texts are made of that are hard to cut. */
const odd = [
  'a',
  'B',
  'Foo',
  'HTTP',
  '7',
  ' ',
  '\n',
  '_',
  '.',
  '-',
  '#',
  '*',
  'ß',
  'İ',
  'Σ',
  'ς',
  'é',
  'e\u0301',
  '会',
  '预算',
  'が',
  'ﾎﾞ',
  'ﾞ',
  'ー',
  'ไท',
  'ที่',
  'न्दी',
  '한',
  'ㄱ',
  'ﾡ',
  'Ａ',
  '１',
  'שָׁ',
  'مُ',
  'ё',
  '🚀',
  '👍🏽',
  '🏽',
  '👨‍👩‍👧',
  '🇩',
  '🇪',
  '\u20E3',
  '\uFE0F',
  '\u200D',
  '\ud83d',
  '\udc4d',
  '\u0000',
  '\u0301',
]

describe('wordsOf, of any text', () => {
  const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom(...odd))
  const anyText = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''))
  const runs = { numRuns: 2000 }

  it('gives slices that fold to the same word, in order, and safe for the index', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0
        for (const { text: word, start, end, parts } of wordsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = end
          expect(folded(text.slice(start, end))).toEqual([word])
          expect(word).toMatch(/^[a-z0-9\u0080-\u{10FFFF}]+$/u)
          expect(word).not.toMatch(/\p{Surrogate}|\s/u)
          if (parts === undefined) continue
          expect(parts.length).toBeGreaterThan(1)
          expect(parts[0]?.start).toBe(start)
          expect(parts.at(-1)?.end).toBe(end)
          expect(
            parts
              .map((part) => part.text)
              .join('')
              .normalize(),
          ).toBe(word)
          // A letter in front, for `1` and a key around it are a keycap when they stand alone.
          for (const part of parts)
            expect(folded(`a${text.slice(part.start, part.end)}`)).toEqual([`a${part.text}`])
        }
      }),
      runs,
    )
  })

  it('folds once and for all', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of folded(text)) expect(folded(word)).toEqual([word])
      }),
      runs,
    )
  })

  it('gives each character that can be taken apart the same word in both forms', () => {
    for (let code = 0; code < 0x110000; code += 1) {
      const character = String.fromCodePoint(code)
      const apart = character.normalize('NFD')
      if (apart === character) continue
      for (const text of [character, `a${character}b`, `会${character}B7`])
        expect([code, folded(text.normalize('NFD'))]).toEqual([code, folded(text)])
    }
  })

  it('does not depend on normalisation or width', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const expected = [folded(text), partsOf(text)]
        for (const form of ['NFC', 'NFD'])
          expect([form, folded(text.normalize(form)), partsOf(text.normalize(form))]).toEqual([
            form,
            ...expected,
          ])
        const wide = text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
        expect([folded(wide), partsOf(wide)]).toEqual(expected)
      }),
      runs,
    )
  })
})

describe('queryTerms', () => {
  it('keeps together what was typed together', () => {
    expect(queryTerms('  build-cache 预算\n审 -- src/open.ts')).toEqual([
      same('build', 'cache'),
      same('预', '算'),
      same('审'),
      same('src', 'open', 'ts'),
    ])
  })

  it('takes identifiers apart', () => {
    expect(queryTerms('getShippingMethod src/openFile.ts')).toEqual([
      { words: ['getshippingmethod'], parts: ['get', 'shipping', 'method'] },
      { words: ['src', 'openfile', 'ts'], parts: ['src', 'open', 'file', 'ts'] },
    ])
  })
})
