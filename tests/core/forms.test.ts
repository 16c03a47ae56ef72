import { expect, test } from 'vitest'
import { isInflected, isSaid } from '../../src/core/forms.ts'
import { queryTerms } from '../../src/core/words.ts'

test.each([
  ['opens', 'it was opened', true],
  ['opens', 'open the door', true],
  ['opens', 'call terminal_open now', false],
  ['opens', 'open_terminal', false],
  ['opens', 'it was _opened_ today', true],
  ['opens', '__opened__', true],
  ['the opens', 'the terminal_open tool', false],
  ['the', 'the tool', true],
  ['opens', 'terminal_open, to open it', true],
  ['opens', 'terminal_opens', true],
  ['open', 'terminal_open', true],
  ['surfaces', 'foldSurface', false],
  ['surface', 'foldSurface', true],
  ['foldSurfaces', 'foldSurfaces', true],
  ['opens xylophone', 'a xylophone', true],
  ['预算 opens', '明年的预算', true],
  ['opens', '', false],
])('%j in %j: %j', (query, text, said) => {
  expect(isSaid(text, queryTerms(query))).toBe(said)
})

test.each([
  ['opens', true],
  ['open', false],
  ['预算', false],
  ['src/opens.ts', true],
])('whether %j is inflected: %j', (query, inflected) => {
  expect(queryTerms(query).some(isInflected)).toBe(inflected)
})
