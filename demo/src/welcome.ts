import { button, fill, h, part } from './dom.ts'
import type { ImportPanel } from './import-panel.ts'
import { errorNote } from './notices.ts'

/** What stands in place of the panes while there is nothing to show in them. */
type Stage = 'opening' | 'failed' | 'empty' | 'ready'

const stageElement = (): HTMLElement => part('stage', HTMLElement)

export function showWelcome(imports: ImportPanel): void {
  setStage('empty')
  fill(
    stageElement(),
    h(
      'div',
      { class: 'welcome' },
      h('h2', {}, 'Every session your agents ran, word for word'),
      h(
        'p',
        { class: 'lead' },
        'Search what was said and done, and read any event exactly as it was recorded. ' +
          'The corpus is a SQLite database in a worker, kept on this device. Nothing leaves the browser.',
      ),
      h(
        'div',
        { class: 'welcome-actions' },
        button({ class: 'button primary' }, ['Load the sample sessions'], imports.importSamples),
        button({ class: 'button' }, ['Choose log files'], imports.pickFiles),
      ),
      h(
        'p',
        { class: 'hint' },
        'Or drop ',
        h('code', {}, '.jsonl'),
        ' and ',
        h('code', {}, '.jsonl.zstd'),
        ' files anywhere on this page.',
      ),
    ),
  )
}

export function showBusy(retry: () => void): void {
  setStage('failed')
  fill(
    stageElement(),
    h(
      'div',
      { class: 'welcome' },
      h('h2', {}, 'Already open in another tab'),
      h(
        'p',
        { class: 'lead' },
        'One tab at a time holds the corpus. Close the other one, then try again.',
      ),
      h('div', { class: 'welcome-actions' }, button({ class: 'button primary' }, ['Try again'], retry)),
      h('p', { class: 'hint' }, h('small', {}, 'SESSION_QUERY_PERSISTENCE_FAILED · busy')),
    ),
  )
}

export function showOpenFailure(error: unknown, retry: () => void): void {
  setStage('failed')
  fill(
    stageElement(),
    h(
      'div',
      { class: 'welcome' },
      h('h2', {}, 'The corpus cannot be opened'),
      errorNote('', error),
      h('div', { class: 'welcome-actions' }, button({ class: 'button primary' }, ['Try again'], retry)),
    ),
  )
}

export function showOpening(): void {
  setStage('opening')
  fill(stageElement(), h('p', { class: 'hint' }, 'Opening the corpus…'))
}

export function showReady(): void {
  setStage('ready')
  fill(stageElement())
}

function setStage(stage: Stage): void {
  document.body.dataset['stage'] = stage
}
