import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import { SessionQueryError } from '../../src/core/errors.ts'
import { memorySpillStore, type SpillStore } from '../../src/tools/spill-store.ts'
import { withSpill, type SpillOptions } from '../../src/tools/spill.ts'
import { bytesIn, partsOf, readOn, sayTool, scene } from './spilled.ts'

const limit = 4096

/** Texts that are much longer than the limit. */
const longTexts: readonly (readonly [string, string])[] = [
  ['lines of ASCII', 'The quick brown fox.\n'.repeat(2000)],
  ['one line', 'x'.repeat(50_000)],
  ['Chinese', '记忆是可以搜索的。'.repeat(3000)],
  ['emoji', '😀👩‍👩‍👧‍👦🇩🇪'.repeat(2000)],
  ['a letter out of step, then emoji', `a${'😀'.repeat(5000)}`],
  ['two letters out of step, then emoji', `ab${'😀'.repeat(5000)}`],
  ['three bytes each, out of step', `é${'漢'.repeat(9000)}`],
  ['backticks', '`'.repeat(16_000)],
  ['line breaks', '\n'.repeat(16_000)],
  ['carriage returns', '\r\n'.repeat(16_000)],
  ['byte-order marks', '\uFEFF'.repeat(9000)],
  ['NULs', '\0'.repeat(9000)],
  ['frames of somebody else', `[spill 00000000000000000000zz: end]\n`.repeat(900)],
  ['the end of a frame', ']\n[spill '.repeat(3000)],
]

describe('a text', () => {
  it.each([
    ['empty', ''],
    ['short', 'Nothing was found.'],
    ['of just as many bytes', 'x'.repeat(limit)],
    ['of just as many bytes in Chinese', `${'漢'.repeat(1365)}x`],
    ['of just as many bytes in emoji', '😀'.repeat(1024)],
    ['that looks like a frame', '[spill 00000000000000000000zz: end]'],
  ])('%s passes as it is, and the store is not asked', async (_name, text) => {
    expect(await scene(brokenStore).say(text)).toBe(text)
  })

  it.each([
    ['in ASCII', 'x'.repeat(limit + 1)],
    ['in Chinese', '漢'.repeat(1366)],
    ['in emoji', `${'😀'.repeat(1024)}x`],
  ])('just above the limit, %s, is put away', async (_name, text) => {
    const tools = scene(memorySpillStore())
    const answer = await tools.say(text)
    expect(bytesIn(answer)).toBeLessThanOrEqual(limit)
    expect(await readOn(tools, { locator: partsOf(answer).locator, offset: 0 })).toBe(text)
  })

  it.each(longTexts)('of %s shows its beginning, its end and how to go on', async (_name, text) => {
    const tools = scene(memorySpillStore())
    const answer = await tools.say(text)
    expect(bytesIn(answer)).toBeLessThanOrEqual(limit)
    // What is shown is worth it: of what the frame leaves, a few bytes at most stay unused.
    expect(bytesIn(answer)).toBeGreaterThan(limit - 16)
    const { frame, content, calls, locator } = partsOf(answer)
    expect(frame).toHaveLength(3)
    const [head = '', tail = ''] = content
    expect(content).toHaveLength(2)
    expect(text.startsWith(head)).toBe(true)
    expect(text.endsWith(tail)).toBe(true)
    expect(bytesIn(head)).toBeGreaterThanOrEqual(2048)
    expect(bytesIn(tail)).toBeGreaterThan(1000)
    const omitted = bytesIn(text) - bytesIn(head) - bytesIn(tail)
    expect(frame[0]).toContain(`${bytesIn(text).toLocaleString('en-US')} bytes; `)
    expect(frame[0]).toContain(`${omitted.toLocaleString('en-US')} bytes are left out`)
    expect(frame[1]).toContain(`${omitted.toLocaleString('en-US')} bytes left out`)
    expect(calls).toEqual([
      { locator, offset: expect.any(Number) as number },
      { locator, find: '…' },
    ])
    const rest = await readOn(tools, calls[0] ?? { locator }, (slice) =>
      expect(bytesIn(slice)).toBeLessThanOrEqual(limit),
    )
    expect(head + rest).toBe(text)
    expect(await readOn(tools, { locator, offset: 0 })).toBe(text)
  })

  it('of any kind, joined from its slices, is what it was', async () => {
    const piece = fc.oneof(
      fc.constantFrom('a', 'é', '漢', '😀', '\n', '\r', '\uFEFF', '\0', '"', '`', '[spill ', ']'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 3000 })), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: limit, max: 9000 }),
        async (pieces, maxInlineBytes) => {
          const text = pieces.map(([part, times]) => part.repeat(times)).join('')
          const tools = scene(memorySpillStore(), { maxInlineBytes })
          const answer = await tools.say(text)
          const short = (slice: string): void =>
            expect(bytesIn(slice)).toBeLessThanOrEqual(maxInlineBytes)
          short(answer)
          if (bytesIn(text) <= maxInlineBytes) {
            expect(answer).toBe(text)
            return
          }
          const { content, calls, locator } = partsOf(answer)
          const rest = await readOn(tools, calls[0] ?? { locator }, short)
          expect((content[0] ?? '') + rest).toBe(text)
          expect(await readOn(tools, { locator, offset: 0 }, short)).toBe(text)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('of 5 MB is read whole', async () => {
    const text = Array.from({ length: 90_000 }, (_, at) => `${at}: 记忆 and memory 😀, é and so on\n`)
      .join('')
      .slice(0, 5_000_000)
    const tools = scene(memorySpillStore(), { maxInlineBytes: 16_384 })
    const { locator } = partsOf(await tools.say(text))
    expect(await readOn(tools, { locator, offset: 0 })).toBe(text)
  })

  it('put away by many calls at once is kept under as many locators', async () => {
    const tools = scene(memorySpillStore())
    const texts = Array.from({ length: 20 }, (_, at) => `${at} `.repeat(3000))
    const answers = await Promise.all(texts.map((text) => tools.say(text)))
    const locators = answers.map((answer) => partsOf(answer).locator)
    expect(new Set(locators).size).toBe(20)
    for (const [at, locator] of locators.entries())
      expect(await readOn(tools, { locator, offset: 0 })).toBe(texts[at])
  })
})

const full = new DOMException('No room.', 'QuotaExceededError')

/** Fails at whatever it is asked. */
const brokenStore: SpillStore = {
  write: () => Promise.reject(full),
  read: () => Promise.reject(full),
}

const long = 'x'.repeat(10_000)

function thrown(error: unknown): () => never {
  return () => {
    throw error
  }
}

describe('a store that fails', () => {
  it.each<readonly [string, SpillStore['write'], unknown]>([
    ['throws', thrown(full), full],
    ['rejects', () => Promise.reject(full), full],
    ['rejects with nothing', () => Promise.reject(), undefined],
    ['throws its own kind', thrown('full'), 'full'],
  ])('and %s leaves the text as it is, and the logger is told', async (_name, write, detail) => {
    const error = vi.fn<(message: string, detail: unknown) => void>()
    const tools = scene({ ...brokenStore, write }, { logger: { error } })
    expect(await tools.say(long)).toBe(long)
    expect(error.mock.calls).toEqual([[expect.stringContaining('say'), detail]])
  })

  it.each([
    ['throws', thrown(new Error('log'))],
    ['rejects', () => Promise.reject(new Error('log'))],
  ])('changes nothing with a logger that %s', async (_name, error) => {
    expect(await scene(brokenStore, { logger: { error } }).say(long)).toBe(long)
    expect(await scene(brokenStore).say(long)).toBe(long)
  })

  it('may take the bytes for itself', async () => {
    const kept = memorySpillStore()
    const tools = scene({
      read: (...given) => kept.read(...given),
      write: (locator, bytes) =>
        kept.write(locator, structuredClone(bytes, { transfer: [bytes.buffer] })),
    })
    expect(partsOf(await tools.say(long)).content[0]).toBe('x'.repeat(2048))
  })
})

describe('a tool', () => {
  it('that fails, fails as before', async () => {
    const failure = new SessionQueryError('SESSION_QUERY_TOOL_UNAUTHORIZED', 'No.')
    const [tool] = withSpill([sayTool()], { store: brokenStore, maxInlineBytes: limit })
    await expect(tool?.execute({ text: failure })).rejects.toBe(failure)
  })

  it('is called as before, and is the same but for its texts', async () => {
    const inner = { ...sayTool(), execute: vi.fn<() => Promise<string>>(async () => 'short') }
    const [tool] = withSpill([inner], { store: brokenStore, maxInlineBytes: limit })
    const [args, options] = [{ seq: 1 }, { signal: new AbortController().signal }]
    expect(await tool?.execute(args, options)).toBe('short')
    expect(inner.execute.mock.calls).toEqual([[args, options]])
    expect({ ...tool, execute: inner.execute }).toEqual(inner)
  })

  it('aborted while its text is put away, ends with the reason of the caller', async () => {
    const error = vi.fn<() => void>()
    const write = vi.fn<SpillStore['write']>(() => new Promise(() => undefined))
    const tools = scene({ ...brokenStore, write }, { logger: { error } })
    const controller = new AbortController()
    const answer = tools.say(long, controller.signal)
    const reason = { of: 'its own' }
    setTimeout(() => controller.abort(reason))
    await expect(answer).rejects.toBe(reason)
    await expect(tools.say(long, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(write).toHaveBeenCalledOnce()
    expect(error).not.toHaveBeenCalled()
  })

  it('aborted, whose store fails for that, ends with the reason of the caller', async () => {
    const controller = new AbortController()
    const tools = scene({
      ...brokenStore,
      async write() {
        controller.abort('enough')
        throw full
      },
    })
    await expect(tools.say(long, controller.signal)).rejects.toBe('enough')
  })
})

describe('withSpill', () => {
  const store = memorySpillStore()

  it.each<readonly [string, unknown, RegExp]>([
    ['no options', undefined, /options are undefined.*object/],
    ['no store', { maxInlineBytes: limit }, /store is undefined.*SpillStore/],
    ['null for a store', { store: null, maxInlineBytes: limit }, /store is null.*SpillStore/],
    [
      'half a store',
      { store: { ...brokenStore, write: 1 }, maxInlineBytes: limit },
      /store is .*SpillStore/,
    ],
    ['no limit', { store }, /maxInlineBytes is undefined.*at least 4096/],
    ['too low a limit', { store, maxInlineBytes: 4095 }, /maxInlineBytes is 4095.*at least 4096/],
    ['a broken limit', { store, maxInlineBytes: 5000.5 }, /maxInlineBytes is 5000.5.*at least 4096/],
    ['no end', { store, maxInlineBytes: Infinity }, /maxInlineBytes is Infinity.*whole number/],
    ['a limit in words', { store, maxInlineBytes: '8000' }, /maxInlineBytes is "8000".*whole number/],
  ])('refuses %s', (_name, options, message) => {
    expect(() => withSpill([], options as SpillOptions)).toThrow(
      expect.objectContaining({
        code: 'SESSION_QUERY_INVALID_CONFIG',
        message: expect.stringMatching(message) as string,
      }),
    )
  })

  it('refuses tools that have spill_read already', () => {
    const options = { store, maxInlineBytes: limit }
    expect(() => withSpill(withSpill([sayTool()], options), options)).toThrow(
      expect.objectContaining({
        code: 'SESSION_QUERY_INVALID_CONFIG',
        message: expect.stringContaining('spill_read') as string,
      }),
    )
  })

  it('gives the tools in their order, and spill_read last', () => {
    const tools = withSpill([sayTool('one'), sayTool('two')], { store, maxInlineBytes: limit })
    expect(tools.map(({ name }) => name)).toEqual(['one', 'two', 'spill_read'])
  })
})

function filled(length: number): Uint8Array {
  return new Uint8Array(length).fill(length)
}

describe('a store in memory', () => {
  it('drops the oldest when there is no room for the next', async () => {
    const store = memorySpillStore({ maxBytes: 100 })
    const kept = async (): Promise<readonly string[]> => {
      const parts = await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (name) => ((await store.read(name, 0, 1)) ? name : '')),
      )
      return parts.filter((name) => name !== '')
    }
    await store.write('a', filled(40))
    await store.write('b', filled(60))
    expect(await kept()).toEqual(['a', 'b'])
    await store.write('c', filled(1))
    expect(await kept()).toEqual(['b', 'c'])
    await expect(store.write('d', filled(101))).rejects.toMatchObject({ reason: 'full' })
    expect(await kept()).toEqual(['b', 'c'])
    await store.write('d', filled(100))
    expect(await kept()).toEqual(['d'])
    await store.clear()
    expect(await kept()).toEqual([])
    await store.write('a', filled(100))
    expect(await kept()).toEqual(['a'])
  })

  it('gives what nobody can change', async () => {
    const store = memorySpillStore()
    await store.write('a', filled(3))
    ;(await store.read('a', 0, 3))?.fill(0)
    expect(await store.read('a', 1, 3)).toEqual(filled(3).slice(1))
  })

  it.each([0, -1, 1.5, NaN, '5', null])('refuses %j as maxBytes', (maxBytes) => {
    expect(() => memorySpillStore({ maxBytes: maxBytes as number })).toThrow(
      expect.objectContaining({
        code: 'SESSION_QUERY_INVALID_CONFIG',
        message: expect.stringMatching(/^maxBytes is .*whole number from 1/) as string,
      }),
    )
  })

  test('whose texts were dropped, answers as one that never had them', async () => {
    const store = memorySpillStore()
    const tools = scene(store)
    const { locator } = partsOf(await tools.say(long))
    await store.clear()
    await expect(tools.read({ locator, offset: 0 })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_FILTER',
      message: expect.stringMatching(`locator is "${locator}".*still kept`) as string,
    })
  })
})
