import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf, type Excerpt } from '../../src/core/snippet.ts'
import { queryTerms } from '../../src/core/words.ts'

function excerpt(text: string, query: string, maxLength = 240, more: object = {}): Excerpt {
  return excerptOf(
    text,
    { terms: queryTerms(query), phraseOnly: false, prefixLast: false, ...more },
    maxLength,
  )
}

const codePoints = (text: string): number => Array.from(text).length

const marked = ({ snippet, highlights }: Excerpt): string[] =>
  highlights.map(([from, to]) => snippet.slice(from, to))

describe('excerptOf', () => {
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
