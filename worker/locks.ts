/**
 * Takes a Web Lock and returns when it is held. Where there are none, nothing is shared with other pages either.
 *
 * @returns what gives it back
 */
export function holdLock(name: string): Promise<() => void> {
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const held = new Promise<void>((release) => {
      navigator.locks
        .request(name, () => {
          resolve(release)
          return held
        })
        .catch(reject)
    })
  })
}

/** As {@link holdLock} where nobody has it; undefined where somebody has. */
export function holdFreeLock(name: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const held = new Promise<void>((release) => {
      navigator.locks
        .request(name, { ifAvailable: true }, (lock) => {
          resolve(lock === null ? undefined : release)
          return lock === null ? undefined : held
        })
        .catch(reject)
    })
  })
}

/** Resolves when nobody holds the lock. */
export async function lockFree(name: string): Promise<void> {
  await navigator.locks.request(name, () => undefined)
}
