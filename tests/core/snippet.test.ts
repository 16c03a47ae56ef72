import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf, type Excerpt } from '../../src/core/snippet.ts'
import { queryTerms, wordsOf } from '../../src/core/words.ts'

function excerpt(text: string, query: string, maxLength = 240, more: object = {}): Excerpt {
  return excerptOf(
    text,
    { terms: queryTerms(query), phraseOnly: false, prefixLast: false, inflected: false, ...more },
    maxLength,
  )
}

const codePoints = (text: string): number => Array.from(text).length

const marked = ({ snippet, highlights }: Excerpt): string[] =>
  highlights.map(([from, to]) => snippet.slice(from, to))

describe('excerptOf', () => {
  it.each([
    ['cafe', 'café'],
    ['bigquery', 'ＢｉｇＱｕｅｒｙ'],
    ['학점인정', '학점인정'.normalize('NFD')],
  ])('finds %j far down a very long text, written as %j', (query, written) => {
    const text = `${'lorem ipsum dolor sit amet '.repeat(8000)}${written} at the end`
    expect(marked(excerpt(text, query, 60))).toEqual([written])
  })

  it('gives a short text whole, white space normalised', () => {
    expect(excerpt('  the shop\n\n\tis  open ', 'open')).toEqual({
      snippet: 'the shop is open',
      highlights: [[12, 16]],
      matched: 'phrase',
    })
  })

  it.each([
    ['open shop', 'all'],
    ['shop is', 'phrase'],
    ['shop closed', 'some'],
  ])('says how %j stands in the text', (query, matched) => {
    expect(excerpt('the shop is open', query).matched).toBe(matched)
  })

  it('cuts around the phrase, at words, with marks of omission', () => {
    const filler = 'lorem ipsum dolor sit amet '
    const result = excerpt(
      filler.repeat(20) + 'the shop opened. ' + filler.repeat(20),
      'shop opened',
      80,
    )
    expect(result.snippet).toMatch(/^…\S.*the shop opened\. .*\S…$/)
    expect(codePoints(result.snippet)).toBeLessThanOrEqual(80)
    expect(marked(result)).toEqual(['shop opened'])
  })

  it('looks for the place where most words meet', () => {
    const far = 'x '.repeat(300)
    const result = excerpt(`alpha ${far} beta ${far} alpha and beta ${far}`, 'alpha beta', 60)
    expect(marked(result)).toEqual(['alpha', 'beta'])
  })

  it('marks a phrase alone where only that counts', () => {
    expect(marked(excerpt('open shop, shop open', 'shop open', 240, { phraseOnly: true }))).toEqual([
      'shop open',
    ])
  })

  it('marks the whole word that a prefix begins', () => {
    expect(marked(excerpt('we deployed it', 'dep', 240, { prefixLast: true }))).toEqual(['deployed'])
  })

  it('marks inside a clause of Chinese, and folded words as they were written', () => {
    expect(marked(excerpt('会议纪要和预算审批', '预算'))).toEqual(['预算'])
    expect(marked(excerpt('Ein Café in ＰＡＲＩＳ', 'cafe paris'))).toEqual(['Café', 'ＰＡＲＩＳ'])
  })

  it.each([
    ['call foldSurface now', 'surface', ['Surface']],
    ['call foldSurface now', 'fold surface', ['foldSurface']],
    ['call foldSurface now', 'fold_surface', ['foldSurface']],
    ['call foldSurface now', 'foldSurface', ['foldSurface']],
    ['call foldSurface now', 'FOLDSURFACE', ['foldSurface']],
    ['call fold_surface now', 'foldSurface', ['fold_surface']],
    ['to fold the surface', 'foldSurface', []],
    ['getShippingMethodId', 'shippingMethod', ['ShippingMethod']],
    ['getShippingMethodId', 'method get', ['get', 'Method']],
    ['a foldLog, a logSurface', 'log_surface', ['logSurface']],
    ['foldLog surfaceOf', 'logSurface', []],
    ['session_query_sqlite', 'query sqlite', ['query_sqlite']],
    ['src/worker/open.ts', 'open.ts', ['open.ts']],
    ['src/worker/open.ts', 'worker', ['worker']],
    ['src/worker open the.ts', 'open.ts', []],
    ['größeÄndern', 'andern', ['Ändern']],
    ['done 👍🏽!', '👍', ['👍🏽']],
  ])('finds in %j, by %j, %j', (text, query, expected) => {
    expect(marked(excerpt(text, query))).toEqual(expected)
  })

  it.each([
    ['we deployed the shops', 'deploying shop', ['deployed', 'shops'], 'all'],
    ['she wrote it', 'write it', ['wrote it'], 'phrase'],
    ['deployedVersions', 'deploy version', ['deployedVersions'], 'phrase'],
    ['the deployment', 'deploy', [], 'some'],
  ])('takes inflected forms for the word in %j', (text, query, expected, matched) => {
    const result = excerpt(text, query, 240, { inflected: true })
    expect([marked(result), result.matched]).toEqual([expected, matched])
    expect(excerpt(text, query).matched).toBe('some')
  })

  it.each([
    ['getShippingMethodId', 'getShip', ['getShippingMethodId']],
    ['getShippingMethodId', 'shipping meth', ['ShippingMethod']],
    ['the deployed shop', 'shop deplo', ['deployed', 'shop']],
    ['the deployed shop', 'deplo shop', ['shop']],
    ['the deployed shop', 'deploying', []],
  ])('takes the last word of a query for a beginning: %j, %j', (text, query, expected) => {
    expect(marked(excerpt(text, query, 240, { prefixLast: true }))).toEqual(expected)
  })

  it('takes a word and what it is made of for different terms', () => {
    expect(excerpt('foldsurface', 'foldsurface foldSurface').matched).toBe('all')
    expect(excerpt('fold surface', 'foldsurface foldSurface').matched).toBe('some')
    expect(excerpt('fold surface', 'fold surface fold fold').matched).toBe('all')
  })

  describe('in texts that are large', () => {
    const filler = 'lorem ipsum dolor sitAmet, src/open.ts: consetetur '

    it('sees all words up to its bound', () => {
      const body = filler.repeat(1950) + 'quick ' + filler.repeat(1950) + 'élan'
      expect(body.length).toBeLessThan(200_000)
      const result = excerpt(body, 'elan quick')
      expect([result.matched, marked(result)]).toEqual(['all', ['quick']])
      expect(excerpt(body, 'consetetur elan').matched).toBe('phrase')
    })

    it('finds rare words far in, in time', () => {
      const body = filler.repeat(400_000) + 'the zebras crossed quietly ' + filler.repeat(1000)
      const start = performance.now()
      const result = excerpt(body, 'zebra crossing', 240, { inflected: true })
      expect(performance.now() - start).toBeLessThan(2000)
      expect([result.matched, marked(result)]).toEqual(['phrase', ['zebras crossed']])
      expect(codePoints(result.snippet)).toBeLessThanOrEqual(240)
      expect(excerpt(body, 'zebra lorem', 240, { inflected: true }).matched).toBe('all')
      expect(excerpt(body, 'zebra giraffe', 240, { inflected: true }).matched).toBe('some')
    })

    it('takes nothing for a phrase that stands in two places', () => {
      const body = `${'x '.repeat(100_000)}zebra ${'y '.repeat(5000)}crossing ${'z '.repeat(5000)}`
      expect(excerpt(body, 'zebra crossing').matched).toBe('all')
    })

    it.each(['é', 'e\u0301', 'ab,', 'A', '🚀', 'a '])('is not held up by %j alone', (unit) => {
      const body = `${unit.repeat(10_000_000 / unit.length)} zebra`
      const start = performance.now()
      expect(marked(excerpt(body, 'zebra'))).toEqual(['zebra'])
      expect(performance.now() - start).toBeLessThan(2000)
    })

    it('is not held up by a long query', () => {
      const query = Array.from({ length: 1500 }, (_, at) => `w${at}x`).join(' ')
      const start = performance.now()
      expect(excerpt(filler.repeat(3900), query).matched).toBe('some')
      expect(performance.now() - start).toBeLessThan(2000)
    })
  })

  it('finds a text by whatever is cut from it between words', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        'getShippingMethod',
        'src/open.ts',
        ' ',
        '\n',
        '会议',
        '👍🏽',
        '🇩🇪',
        'ﾎﾞ',
        'e\u0301',
        '_',
        'HTTPServer',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 20 }).map((units) => units.join('')),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        (text, one, other, prefixLast, inflected) => {
          const words = wordsOf(text)
          fc.pre(words.length > 0)
          const [first = 0, last = 0] = [one % words.length, other % words.length].toSorted(
            (a, b) => a - b,
          )
          const query = text.slice(words[first]?.start, words[last]?.end)
          const { matched, highlights } = excerpt(text, query, 10_000, { prefixLast, inflected })
          expect(matched).toBe('phrase')
          expect(highlights.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('cuts no grapheme', () => {
    const family = '👨‍👩‍👧'
    for (let length = 3; length < 60; length += 1) {
      const { snippet } = excerpt(family.repeat(20) + ' shop ' + family.repeat(20), 'shop', length)
      expect(snippet.replaceAll(family, '')).toMatch(/^…? ?s?h?o?p? ?…?$/)
    }
  })

  it('keeps its promises for any text, query and length', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      ' ',
      '\n',
      'shop',
      '会',
      '🚀',
      '👍🏽',
      'e\u0301',
      '\ud83d',
      '\u0000',
      '…',
      'long'.repeat(30),
    )
    const text = fc.array(unit, { maxLength: 80 }).map((units) => units.join(''))
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        (body, query, length, prefixLast) => {
          const { snippet, highlights } = excerpt(body, query, length, { prefixLast })
          expect(codePoints(snippet)).toBeLessThanOrEqual(length)
          expect(snippet).not.toMatch(/\p{Surrogate}|\s{2}|[\n\t]/u)
          let last = 0
          for (const [from, to] of highlights) {
            expect(from).toBeGreaterThanOrEqual(last)
            expect(to).toBeGreaterThan(from)
            last = to
          }
          expect(last).toBeLessThanOrEqual(snippet.length)
        },
      ),
      { numRuns: 500 },
    )
  })
})
