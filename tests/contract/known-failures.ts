import type { Exception } from './contract.ts'

/** What is wrong in every kind of corpus. */
export const wrongEverywhere: readonly Exception[] = [
  {
    reason:
      'sqlite-wasm binds a whole number past 64 bits as an integer, which wraps around: worker/sqlite.ts has to bind it as a double',
    cases: ['filters: have bounds of any size'],
  },
  {
    reason: 'create copies the header one level deep before it waits',
    cases: ['detachment: of the header that a live session is given'],
  },
  {
    reason:
      'putSession, appendEvents and deleteSession look at open sessions, not at those being opened',
    cases: [
      'live sessions: that are being resumed cannot be deleted or written by others',
      'live sessions: that are being begun cannot be stored by others',
    ],
  },
  {
    reason: 'fork takes any key of the list of events for a seq',
    cases: ['live sessions: do not begin at what is no seq'],
  },
  {
    reason:
      'create and fork do not judge what they are given: they take 5, and throw a TypeError for null',
    cases: ['live sessions: are refused for arguments that are none, with an error of ours'],
  },
  {
    reason: 'sessions outlive their corpus and take events that nobody will store',
    cases: ['closing: ends the sessions that were open'],
  },
]
