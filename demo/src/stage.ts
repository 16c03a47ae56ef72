import { button, fill, h, part, type Child } from './dom.ts'
import { codeOf, messageOf } from './notices.ts'

/** What stands in place of the panes while there is nothing to show in them. */
type Stage = 'opening' | 'failed' | 'empty' | 'ready'

export interface WelcomeActions {
  readonly importSamples: () => void
  readonly pickFiles: () => void
}

/** @param asked id of the session that the address asks for, which is not here */
export function showWelcome(actions: WelcomeActions, kept: boolean, asked: string | undefined): void {
  if (document.body.dataset['stage'] === 'empty') return
  showStage(
    'empty',
    h('h2', {}, 'Every session your agents ran, word for word'),
    h(
      'p',
      { class: 'lead' },
      'Search what was said and done, and read every event exactly as it is stored. ',
      kept
        ? 'It stays on this device, in this browser; nothing is sent anywhere.'
        : 'It stays in this tab and is gone when the tab closes; nothing is sent anywhere.',
    ),
    asked !== undefined &&
      h(
        'p',
        { class: 'lead missing' },
        'The session of this link is not here: ',
        h('code', { class: 'id' }, h('bdi', {}, asked)),
      ),
    h(
      'div',
      { class: 'stage-actions' },
      button({ class: 'button primary' }, ['Load the sample sessions'], actions.importSamples),
      button({ class: 'button' }, ['Choose log files'], actions.pickFiles),
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
    h(
      'p',
      { class: 'hint' },
      h('small', {}, `SQLite in a worker, ${kept ? 'kept in OPFS' : 'in memory'}.`),
    ),
  )
}

/** Stays as it is through several tries, so that the focus does; whoever tries listens for its button. */
export function showBusy(): void {
  if (document.body.dataset['stage'] === 'failed') return
  showStage(
    'failed',
    h('h2', {}, 'Another tab does not answer'),
    h(
      'p',
      { class: 'lead' },
      'It has the sessions open and may be suspended. Close it: this tab then goes on by itself.',
    ),
    h(
      'div',
      { class: 'stage-actions' },
      h('button', { type: 'button', class: 'button primary' }, 'Try now'),
    ),
    h('p', { class: 'hint' }, h('small', {}, 'SESSION_QUERY_PERSISTENCE_FAILED · busy')),
  )
}

export function showOpenFailure(error: unknown, retry: () => void): void {
  showStage(
    'failed',
    h('h2', {}, 'The sessions cannot be opened'),
    h('p', { class: 'lead' }, messageOf(error)),
    h('div', { class: 'stage-actions' }, button({ class: 'button primary' }, ['Try again'], retry)),
    h('p', { class: 'hint' }, h('small', {}, codeOf(error))),
  )
}

export function showOpening(): void {
  setStage('opening')
  fill(
    part('stage', HTMLElement),
    h('h2', { class: 'hint' }, 'Opening your sessions…'),
    h('p', { class: 'hint', id: 'opening-note' }),
  )
}

/** More about what takes so long; only while the sessions are being opened. */
export function showOpeningNote(text: string): void {
  const note = document.getElementById('opening-note')
  if (note !== null) note.textContent = text
}

export function showReady(): void {
  if (document.body.dataset['stage'] === 'ready') return
  setStage('ready')
  fill(part('stage', HTMLElement))
}

function showStage(stage: Stage, ...content: readonly Child[]): void {
  setStage(stage)
  fill(part('stage', HTMLElement), h('div', { class: 'stage-content' }, ...content))
}

function setStage(stage: Stage): void {
  document.body.dataset['stage'] = stage
}
