/// <reference types="node" />
/**
 * @module
 * Notices that something in a folder may have changed.
 */

import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { callback, checkOptions, milliseconds, type OptionTable, required, text } from '@x/core/options'

/** The interval at which to look without an event, in milliseconds: some file systems report no changes, such as network drives. */
const LOOK_EVERY = 30_000
/** The interval if watching failed, in milliseconds. */
const LOOK_OFTEN = 2_000

/** The options of {@link FolderWatcher}. */
export interface WatcherOptions {
  root: string
  /** Called when something may have changed, often many times in a row. */
  onEvent: () => void
  /** Called once when a folder cannot be watched; then changes are noticed within two seconds. */
  onProblem: (reason: string) => void
  /** @defaultValue `watch` of `node:fs` */
  watch?: typeof watch | undefined
  /** The interval at which to look without an event, in milliseconds. @defaultValue 30000, and 2000 if watching failed */
  lookEveryMs?: number | undefined
}

const OPTIONS: OptionTable<WatcherOptions> = {
  root: required(text),
  onEvent: required(callback),
  onProblem: required(callback),
  watch: callback,
  lookEveryMs: milliseconds(),
}

/** Watches folders one by one, so that hidden ones and `node_modules` cost nothing. */
export class FolderWatcher {
  private readonly options: WatcherOptions
  private readonly watchers = new Map<string, { identity: string; watcher: FSWatcher }>()
  private timer: NodeJS.Timeout | undefined
  private hasFailed = false
  private isClosed = false

  constructor(options: WatcherOptions) {
    checkOptions('FolderWatcher', options, OPTIONS)
    this.options = options
    this.look(options.lookEveryMs ?? LOOK_EVERY)
  }

  /** Watches a folder, unless it is watched already. */
  add(path: string, identity: string): void {
    const known = this.watchers.get(path)
    if (this.isClosed || known?.identity === identity) return
    known?.watcher.close()
    this.watchers.delete(path)
    try {
      const { root, onEvent, watch: start = watch } = this.options
      const watcher = start(join(root, path), { persistent: false }, onEvent)
      watcher.on('error', () => {
        // The folder was deleted. A new folder in its place has a different identity.
        watcher.close()
        if (this.watchers.get(path)?.watcher === watcher) this.watchers.delete(path)
        onEvent()
      })
      this.watchers.set(path, { identity, watcher })
    } catch (error) {
      this.fail((error as Error & { code?: string }).code ?? String(error))
    }
  }

  /** Stops watching all folders but these. */
  retain(paths: ReadonlySet<string>): void {
    for (const [path, { watcher }] of this.watchers) {
      if (paths.has(path)) continue
      watcher.close()
      this.watchers.delete(path)
    }
  }

  /** Stops watching. */
  close(): void {
    this.isClosed = true
    clearInterval(this.timer)
    this.retain(new Set())
  }

  private fail(reason: string): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.look(this.options.lookEveryMs ?? LOOK_OFTEN)
    this.options.onProblem(reason)
  }

  private look(every: number): void {
    clearInterval(this.timer)
    this.timer = setInterval(this.options.onEvent, every)
    this.timer.unref()
  }
}
