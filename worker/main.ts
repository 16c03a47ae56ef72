import { expose } from 'comlink'
import { createHost } from './host.ts'
import { openSeat } from './open-seat.ts'
import { turns } from './turns.ts'

const turn = turns()

expose(createHost(turn, (options, tell) => openSeat(options, tell, turn)))
