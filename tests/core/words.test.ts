import { describe, expect, it } from 'vitest'
import { queryTerms, wordsOf } from '../../src/core/words.ts'

const folded = (text: string): string[] => wordsOf(text).map((word) => word.text)

describe('wordsOf', () => {
  it.each([
    ['Deploy the SHOP', ['deploy', 'the', 'shop']],
    ['Ångström résumé ΣΊΣΥΦΟΣ İstanbul', ['angstrom', 'resume', 'σισυφοσ', 'istanbul']],
    ['cafe\u0301', ['cafe']],
    ['ＢｉｇＱｕｅｒｙ', ['bigquery']],
    ['会议纪要', ['会', '议', '纪', '要']],
    ['重跑build-cache后', ['重', '跑', 'build', 'cache', '后']],
    ['サンドボックス', ['サ', 'ン', 'ド', 'ボ', 'ッ', 'ク', 'ス']],
    ['ﾎﾞｯｸｽ', ['ボ', 'ッ', 'ク', 'ス']],
    ['한국어'.normalize('NFD'), ['한국어']],
    ['ship it 🚀 now 👍🏽 👨‍👩‍👧 🇩🇪', ['ship', 'it', '🚀', 'now', '👍🏽', '👨👩👧', '🇩🇪']],
    ['a\u0000b \ud83d c', ['a', 'b', 'c']],
    ['src/worker/open.ts', ['src', 'worker', 'open', 'ts']],
    ['-- " * ^ ( ) :', []],
    ['', []],
  ])('folds and cuts %j', (text, expected) => {
    expect(folded(text)).toEqual(expected)
  })

  it('says where each word stands', () => {
    const text = 'Das ﾎﾞx e\u0301! 🚀'
    for (const { start, end, text: word } of wordsOf(text))
      expect(folded(text.slice(start, end))).toEqual([word])
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Das',
      'ﾎﾞ',
      'x',
      'e\u0301',
      '🚀',
    ])
  })
})

describe('queryTerms', () => {
  it('keeps together what was typed together', () => {
    expect(queryTerms('  build-cache 预算\n审 -- ')).toEqual([['build', 'cache'], ['预', '算'], ['审']])
  })
})
