import { expect, test } from 'vitest'
import { piecesOf } from '../../src/core/pieces.ts'
import { queryTerms } from '../../src/core/words.ts'

test.each([
  ['预算审批会议的结论是什么', ['预算', '算审', '审批', '批会', '会议', '结论']],
  ['预算', []],
  ['由布院の旅館はどこに決めましたか', ['由布', '布院', '旅館', '決']],
  ['データベースの移行', ['テータヘース', '移行']],
  ['どこですか', []],
  ['是什么', ['是什', '什么']],
  ['预算审批 nightly-rollup 预算', ['预算', '算审', '审批', 'nightly', 'rollup']],
  ['src预算审批', ['src', '预算', '算审', '审批']],
  ['nightly-rollup-late-trips', ['nightly', 'rollup', 'late', 'trips']],
  ['src/worker/open.ts', ['src', 'worker', 'open', 'ts']],
  ['getShippingMethodId', ['shipping', 'method', 'id']],
  ['the-rollup', ['rollup']],
  ['rollup', []],
  ['กรุงเทพ', ['กรงเ', 'รงเท', 'งเทพ']],
])('%s is made of %j', (query, pieces) => {
  expect(piecesOf(queryTerms(query)).map(({ words }) => words.join(''))).toEqual(pieces)
})
