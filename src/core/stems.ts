export function stemOf(word: string): string {
  return /^[a-z]{4,}$/.test(word) ? word.replace(/(?:ing|ed|es|s)$/, '') : word
}
