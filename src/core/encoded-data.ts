import { base64, kindAt } from './ascii.ts'

/** Where the text holds data instead of words: spans in order, which may overlap. */
export function wordless(text: string): [start: number, end: number][] {
  const spans: [number, number][] = []
  // A run that is long enough covers one of these places.
  for (let probe = leastBase64 - 1; probe < text.length; probe += leastBase64) {
    if ((kindAt(text, probe) & base64) === 0) continue
    let start = probe
    while (start > 0 && kindAt(text, start - 1) & base64) start -= 1
    const end = pastBase64(text, probe)
    if (end - start >= leastBase64 && isData(text.slice(start, end))) spans.push([start, end])
    while (probe + leastBase64 < end) probe += leastBase64
  }
  dataUri.lastIndex = 0
  for (let head = dataUri.exec(text); head !== null; head = dataUri.exec(text)) {
    const [whole, type, parameters = ''] = head
    const begin = head.index + whole.length
    if (/;base64$/i.test(parameters)) {
      dataUri.lastIndex = pastBase64(text, begin)
    } else if (type !== undefined && (kindAt(text, head.index - 1) & ~base64) === 0) {
      uriTail.lastIndex = begin
      dataUri.lastIndex = begin + (uriTail.exec(text)?.[0].length ?? 0)
    } else {
      continue
    }
    spans.push([head.index, dataUri.lastIndex])
  }
  return spans.toSorted((a, b) => a[0] - b[0])
}

/** Encoded data has letters and digits; a line of one letter or a long path has not. */
function isData(run: string): boolean {
  return /[a-zA-Z]/.test(run) && /[0-9]/.test(run)
}

/** The head of a data URI: media type and parameters. Without base64, only a media type tells it from prose. */
const dataUri = /data:([a-z]{1,32}\/[\w.+-]{1,128})?((?:;[\w.+=%-]{1,128}){0,16}),/gi

const uriTail = /[\w.~:/?#@!$&*+,;=%-]*/y

/** Where the base64 ends that goes on at `from`. */
function pastBase64(text: string, from: number): number {
  let end = from
  while (kindAt(text, end) & base64) end += 1
  return end
}

/** From this length on, in characters, a run of base64 is data and not text. */
const leastBase64 = 256
