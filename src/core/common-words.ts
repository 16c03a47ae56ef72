export const commonWords: ReadonlySet<string> = new Set(
  'a an and are as at be been but by can could did do does doing done for from had has have having he her hers him his how i if in into is it its me my no not of on or our ours she should so some such than that the their theirs them then there these they this those to too us was we were what when where which who whom whose why will with would you your yours s t d m ll re ve don'.split(
    ' ',
  ),
)
