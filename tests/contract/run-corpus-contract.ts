import { describe } from 'vitest'
import { abortCases } from './aborts.ts'
import { changeCases } from './changes.ts'
import { contractOf, type Implementation } from './contract.ts'
import { detachmentCases } from './detachment.ts'
import { durabilityCases } from './durability.ts'
import { eventTraceCases } from './event-traces.ts'
import { exactnessCases } from './exactness.ts'
import { filterCases } from './filters.ts'
import { housekeepingCases } from './housekeeping.ts'
import { lineageCases } from './lineage.ts'
import { liveAppendCases } from './live-appends.ts'
import { liveSessionCases } from './live-sessions.ts'
import { movingCases } from './moving.ts'
import { optionCases } from './options.ts'
import { readCases } from './reads.ts'
import { searchFindCases } from './search-finds.ts'
import { searchIndexCases } from './search-index.ts'
import { searchLiveCases } from './search-live.ts'
import { searchOrderCases } from './search-order.ts'
import { searchPageCases } from './search-pages.ts'
import { searchTimeCases } from './search-time.ts'
import { closingCases, statusCases } from './status-and-closing.ts'
import { titleCases, windowCases } from './windows-and-titles.ts'
import { writeCases } from './writes.ts'

/** Runs every case of the contract over one kind of corpus. */
export function runCorpusContract(implementation: Implementation): void {
  describe(implementation.name, () => {
    const contract = contractOf(implementation)
    writeCases(contract)
    readCases(contract)
    windowCases(contract)
    titleCases(contract)
    filterCases(contract)
    lineageCases(contract)
    eventTraceCases(contract)
    liveSessionCases(contract)
    liveAppendCases(contract)
    durabilityCases(contract)
    changeCases(contract)
    statusCases(contract)
    closingCases(contract)
    optionCases(contract)
    searchFindCases(contract)
    searchOrderCases(contract)
    searchPageCases(contract)
    searchIndexCases(contract)
    searchTimeCases(contract)
    searchLiveCases(contract)
    abortCases(contract)
    exactnessCases(contract)
    detachmentCases(contract)
    movingCases(contract)
    housekeepingCases(contract)
  })
}
