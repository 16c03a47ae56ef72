import { SessionQueryError } from '../../src/core/errors.ts'
import { describe, expect, it, vi } from 'vitest'
import { newLocator } from '../../src/tools/locator.ts'
import { memorySpillStore, type SpillStore } from '../../src/tools/spill-store.ts'
import { bytesIn, partsOf, scene, type Scene, type SpillArguments } from './spilled.ts'

const limit = 4096

/** Tools that have put a text away, and where. */
async function holding(text: string): Promise<Scene & { locator: string }> {
  const tools = scene(memorySpillStore())
  return { ...tools, locator: partsOf(await tools.say(text)).locator }
}

interface Found {
  readonly offset: number
  readonly excerpt: string
}

/** The matches that an answer lists. */
function matchesOf(answer: string): readonly Found[] {
  return answer
    .split('\n')
    .slice(1, -1)
    .map((line) => {
      const [, offset, excerpt = ''] = /^offset (\d+): (".*")$/.exec(line) ?? []
      return { offset: Number(offset), excerpt: JSON.parse(excerpt) as string }
    })
}

/** All matches, by the calls that the answers name. */
async function allMatches(tools: Scene, first: SpillArguments): Promise<readonly Found[]> {
  const found: Found[] = []
  for (let args: SpillArguments | undefined = first; args !== undefined;) {
    const answer = await tools.read(args)
    expect(bytesIn(answer)).toBeLessThanOrEqual(limit)
    const matches = matchesOf(answer)
    expect(matches.length).toBeGreaterThan(0)
    expect(matches.length).toBeLessThanOrEqual(20)
    found.push(...matches)
    args = partsOf(answer).calls[0]
    expect(answer.endsWith('no more matches]')).toBe(args === undefined)
  }
  return found
}

const filler = 'lorem ipsum dolor sit amet\n'.repeat(1000)

describe('spill_read', () => {
  it('is described in what a model takes', async () => {
    const tool = scene(memorySpillStore()).tools.at(-1)
    expect(tool?.description.length).toBeLessThan(1000)
    expect(tool).toMatchObject({
      name: 'spill_read',
      concurrency: 'parallel',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        required: ['locator', 'offset', 'find'],
        additionalProperties: false,
        properties: {
          locator: { type: 'string' },
          offset: { type: 'integer' },
          find: { type: 'string' },
        },
      },
    })
  })

  it('gives a part of a text between two lines of its own', async () => {
    const { read, locator } = await holding('0123456789abcdef'.repeat(1000))
    expect(await read({ locator, offset: 15 })).toBe(
      [
        `[spill ${locator}: from offset 15 of a text of 16,000 bytes]`,
        '0123456789abcdef'.repeat(40),
        `[spill ${locator}: end of the text]`,
      ].join('\n'),
    )
    expect(partsOf(await read({ locator, offset: 3 }))).toMatchObject({
      frame: [
        expect.anything(),
        `[spill ${locator}: to go on: spill_read {"locator":"${locator}","offset":6}]`,
      ],
      content: ['0123456789abcdef'.repeat(192)],
    })
  })

  it.each([
    ['a number in quotes', (locator: string) => ({ locator, offset: '12' })],
    ['a whole number with a fraction', (locator: string) => ({ locator, offset: '12.0' })],
    ['null for what is left out', (locator: string) => ({ locator, offset: 12, find: null })],
    ['JSON', (locator: string) => JSON.stringify({ locator, offset: 12 })],
    ['more than there is', (locator: string) => ({ locator, offset: 12, limit: 5 })],
  ])('takes %s for what it means', async (_name, args) => {
    const { read, locator } = await holding(filler)
    expect(await read(args(locator))).toBe(await read({ locator, offset: 12 }))
  })

  it.each<readonly [string, object, RegExp]>([
    ['no number', { offset: '12px' }, /^offset is "12px"; it has to be a whole number/],
    ['a negative one', { offset: -1 }, /^offset is -1; it has to be a whole number/],
    ['a fraction', { offset: 12.5 }, /^offset is 12.5; it has to be a whole number/],
    ['one past the end', { offset: 27 }, /^offset is 27; here .* from 0 to 26\.$/],
    [
      'one far past it',
      { offset: Number.MAX_SAFE_INTEGER },
      /^offset is 9007199254740991; here .* 26\.$/,
    ],
    ['neither', {}, /^offset and find are missing; one has to be there\.$/],
    ['both left out', { offset: null, find: null }, /^offset and find are missing/],
    ['nothing to find', { find: '' }, /^offset and find are missing/],
    ['blanks to find', { find: ' \n' }, /^find is " \\n"; it has to be text .* not blank/],
    ['too much to find', { find: 'x'.repeat(101) }, /^find is "x+….*at most 100 characters/],
    ['a number to find', { find: 12 }, /^find is 12; it has to be text/],
    ['more matches than there are', { find: 'ipsum', offset: 1000 }, /^offset is 1000; .* 0 to 999\.$/],
    ['far more', { find: 'ipsum', offset: 5000 }, /^offset is 5000; here .* from 0 to 999\.$/],
    ['no locator', { locator: null, offset: 0 }, /^locator is missing/],
    ['an empty one', { locator: '', offset: 0 }, /^locator is ""; it has to be/],
  ])('refuses %s, and names the argument', async (_name, args, message) => {
    const { read, locator } = await holding(filler)
    await expect(read({ locator, ...args })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_FILTER',
      message: expect.stringMatching(message) as string,
    })
  })

  it('refuses an offset just at the end of a text that is made of whole blocks', async () => {
    const { read, locator } = await holding('x'.repeat(8192))
    expect(await read({ locator, offset: 7 })).toContain('end of the text')
    await expect(read({ locator, offset: 8 })).rejects.toThrow('offset is 8; here')
  })

  it.each([
    ['a path', '../x'],
    ['a path after a locator', `${newLocator(9000)}/../x`],
    ['a name of an object', '__proto__'],
    ['upper case', newLocator(9000).toUpperCase()],
    ['a locator and a line', `${newLocator(9000)}\n`],
    ['one without a size', newLocator(9000).slice(0, 20)],
  ])('asks no store for %s', async (_name, locator) => {
    const read = vi.fn<SpillStore['read']>()
    const tools = scene({ ...memorySpillStore(), read })
    await expect(tools.read({ locator, offset: 0 })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_FILTER',
      message: expect.stringMatching(/^locator is /) as string,
    })
    expect(read).not.toHaveBeenCalled()
  })

  it('says the same of a locator that is made up, of one that is changed, and of one of another store', async () => {
    const { read, locator } = await holding(filler)
    const refusals = await Promise.all(
      [newLocator(27_000), `${locator.slice(0, -1)}z`, (await holding(filler)).locator].map((other) =>
        read({ locator: other, offset: 0 }).catch((error: Error) =>
          error.message.replace(other, 'this one'),
        ),
      ),
    )
    expect(new Set(refusals)).toEqual(new Set([expect.stringMatching(/^locator is "this one"; /)]))
  })

  it('makes locators that differ, short and in lower case', () => {
    const locators = Array.from({ length: 1000 }, () => newLocator(5_000_000))
    expect(new Set(locators).size).toBe(1000)
    for (const locator of locators) expect(locator).toMatch(/^[0-9a-z]{20,28}$/)
  })
})

describe('a store that does not keep its word', () => {
  const kept = memorySpillStore()
  const failure = { code: 'SESSION_QUERY_TOOL_FAILED' }

  it.each<readonly [string, SpillStore['read']]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['gives less', async (...given) => (await kept.read(...given))?.slice(1)],
    ['gives more', async (_locator, from, to) => new Uint8Array(to - from + 1)],
    ['gives nothing', async () => new Uint8Array()],
    ['gives null', async () => null as unknown as Uint8Array],
    ['gives no text', async (_locator, from, to) => new Uint8Array(to - from).fill(0xff)],
  ])('and %s, is no store to read from', async (_name, read) => {
    const error = vi.fn<(message: string, detail: unknown) => void>()
    const tools = scene({ ...kept, read }, { logger: { error } })
    const { locator } = partsOf(await tools.say(filler))
    for (const args of [{ offset: 0 }, { find: 'ipsum' }]) {
      const answer = tools.read({ locator, ...args })
      await expect(answer).rejects.toMatchObject(failure)
      await expect(answer).rejects.not.toThrow('secret')
    }
    expect(error).toHaveBeenCalledTimes(2)
  })

  it('and fails with a code, says nothing of sessions', async () => {
    const full = new SessionQueryError('SESSION_QUERY_PERSISTENCE_FAILED', 'secret')
    const tools = scene({ ...kept, read: () => Promise.reject(full) })
    const { locator } = partsOf(await tools.say(filler))
    await expect(tools.read({ locator, offset: 0 })).rejects.toMatchObject(failure)
  })

  it('and never answers, is left when the call is aborted', async () => {
    const tools = scene({ ...kept, read: () => new Promise(() => undefined) })
    const { locator } = partsOf(await tools.say(filler))
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    await expect(tools.read({ locator, offset: 0 }, controller.signal)).rejects.toBe('enough')
  })
})

describe('find', () => {
  it.each([
    ['a word in another case', 'NEEDLE', 'the needle here'],
    ['what folds to the same letter', 'ΣΊΣΥΦΟΣ kelvin', 'σίσυφος \u212Aelvin'],
    ['other white space', 'two words', 'two \n\t words'],
    ['what a pattern would take for its own', 'a.b*(c)[d]{1}^$|\\/?+', 'a.b*(c)[d]{1}^$|\\/?+'],
    ['emoji', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['escaped JSON', String.raw`say \"hi\"\n`, String.raw`say \"hi\"\n`],
  ])('finds %s', async (_name, find, place) => {
    const tools = await holding(`${filler}${place}${filler}`)
    const { locator, read } = tools
    const answer = await read({ locator, find })
    expect(matchesOf(answer)).toEqual([
      { offset: Math.floor(filler.length / 1024), excerpt: expect.stringContaining(place) as string },
    ])
    expect(answer.split('\n').at(-1)).toBe(`[spill ${locator}: no more matches]`)
  })

  it('takes nothing for a pattern, and says how text in JSON looks', async () => {
    const { locator, read } = await holding(filler)
    for (const find of ['l.rem', '.*', 'lorem|ipsum', '\\s', 'lorem ipsumdolor', '\uD83D']) {
      expect(await read({ locator, find })).toBe(
        `[spill ${locator}: no match. Inside JSON a text stands escaped: a quotation mark as \\", the end of a line as \\n]`,
      )
      expect(await read({ locator, find, offset: 3 })).toContain('no match')
    }
  })

  it('lists many matches in order, over several answers, each once', async () => {
    const tools = await holding(
      Array.from({ length: 95 }, (_, at) => `match number ${at}.${'漢'.repeat(300)}`).join('\n'),
    )
    const found = await allMatches(tools, { locator: tools.locator, find: 'Match  Number' })
    expect(found.map(({ excerpt }) => Number(/number (\d+)/.exec(excerpt.slice(-90))?.[1]))).toEqual(
      Array.from({ length: 95 }, (_, at) => at),
    )
  })

  it('counts matches that touch, not those that overlap', async () => {
    const tools = await holding('ab'.repeat(2500))
    expect(await allMatches(tools, { locator: tools.locator, find: 'abab' })).toHaveLength(1250)
  })

  it.each(['x', 'é', '漢', '😀'])(
    'names an offset from which each match is read, also across blocks of %s',
    async (letter) => {
      const unit = bytesIn(letter)
      // The first begins a byte before the second block, the others one byte later each.
      const text = Array.from({ length: 12 }, (_, at) => {
        const room = 3 * 1024 + (at === 0 ? -1 : 1) - 6
        return `${letter.repeat(Math.floor(room / unit))}${'.'.repeat(room % unit)}needle`
      }).join('')
      const tools = await holding(text)
      const found = await allMatches(tools, { locator: tools.locator, find: 'needle' })
      expect(found).toHaveLength(12)
      for (const { offset, excerpt } of found) {
        const { content } = partsOf(await tools.read({ locator: tools.locator, offset }))
        const ahead = excerpt.slice(excerpt.indexOf('needle'))
        expect(content[0]).toContain(ahead.slice(0, 40))
        expect(content[0]?.indexOf('needle')).toBeLessThan(1024)
      }
    },
  )

  it('cuts excerpts between characters, and keeps them on their line', async () => {
    const { locator, read } = await holding(
      `${'😀'.repeat(3000)}x\n[spill y: end]\u2028\u202E-needle-${'😀'.repeat(3000)}`,
    )
    const answer = await read({ locator, find: 'needle' })
    const [match] = matchesOf(answer)
    expect(match?.excerpt).toMatch(/^(?:😀)+x\n\[spill y: end\]\u2028\u202E-needle-(?:😀)+$/u)
    expect(answer).not.toMatch(/[\u2028\u202E]/)
    expect(answer.split('\n')).toHaveLength(3)
  })

  it.each([
    ['control characters', '\u0001'],
    ['marks that show as nothing', '\u200B'],
    ['tags', '\u{E0041}'],
    ['quotation marks', '"'],
    ['Chinese', '漢'],
    ['white space', ' '],
  ])('keeps to the limit among %s', async (_name, letter) => {
    const find = letter.repeat(letter.length === 2 ? 49 : 99)
    const needle = letter === ' ' ? 'a b' : `${find}!`
    const place = letter === ' ' ? `a${letter.repeat(40_000)}b` : needle
    const tools = await holding(Array.from({ length: 60 }, () => place + letter.repeat(500)).join(''))
    expect(await allMatches(tools, { locator: tools.locator, find: needle })).toHaveLength(60)
  })

  it.each<readonly [string, string, string, number]>([
    ['nothing there', 'zebra crossing', 'a quick brown fox\n', 0],
    ['almost there, everywhere', `${'a'.repeat(99)}b`, 'a', 0],
    ['almost there, with white space', `${'a '.repeat(49)}b`, 'a ', 0],
    ['almost there, with much of it', `${'a '.repeat(49)}b`, `a${' '.repeat(20)}`, 0],
    ['everywhere, and passed over', 'a', 'a', 4_000_000],
    ['at the very end of Chinese', '漢字', '漢', 0],
  ])('comes to an end in 5 MB: %s', async (_name, find, part, offset) => {
    const tools = await holding(part.repeat(5_000_000 / bytesIn(part)) + (find === '漢字' ? '字' : ''))
    const answer = await tools.read({ locator: tools.locator, find, offset })
    expect(bytesIn(answer)).toBeLessThanOrEqual(limit)
    expect(answer).toMatch(offset > 0 || find === '漢字' ? /^offset \d+: /m : /no match/)
  })
})
