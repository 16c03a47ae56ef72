const urls = import.meta.glob<string>('../samples/*.jsonl', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The sessions that come with the page, as files. */
export async function fetchSamples(signal: AbortSignal): Promise<readonly File[]> {
  return Promise.all(Object.entries(urls).map(([path, url]) => fetchFile(path, url, signal)))
}

async function fetchFile(path: string, url: string, signal: AbortSignal): Promise<File> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The server answered ${response.status} for the sample ${name}.`)
  return new File([await response.blob()], name)
}
