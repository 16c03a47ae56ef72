/** English words so common that they decide nothing where rarer ones are there, as `wordsOf` gives them. */
export const commonWords: ReadonlySet<string> = new Set(
  `
  a an the this that these those
  i me my mine myself you your yours yourself he him his himself she her hers herself it its itself
  we us our ours ourselves they them their theirs themselves one ones someone something anyone anything
  and or but nor so if then else than because while although though unless until
  of in on at by for from to with without into onto over under about above below between through during
  before after against off up out down as via per upon within
  am is are was were be been being do does did done doing have has had having
  can could will would shall should may might must cannot
  who whom whose what which when where why how
  not no yes all any both each either neither every few many more most much other others another some such
  only own same too very just also again ever here there now once still yet already
  please let lets get got
  don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn can mustn ain
  t s ll ve re m d
  dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt wont wouldnt couldnt shouldnt cant
  im ive youre theyre thats whats
  `
    .trim()
    .split(/\s+/),
)
