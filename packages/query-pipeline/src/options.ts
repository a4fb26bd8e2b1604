/**
 * @module
 * The options of pipelines and runs, and their validation.
 */
import { type CallbackManager, ConfigurationError, type Dict } from '@x/core-model'
import type { ModuleLike, PipelineRunOptions } from './component.ts'
import type { Link } from './graph.ts'

/** The options of {@link QueryPipeline}: either `chain`, or `modules` and `links`. */
export interface QueryPipelineOptions {
  /** Modules to run one after the other. Cannot be combined with `modules` and `links`. */
  chain?: readonly (ModuleLike | string)[] | null | undefined
  /** Modules by key. */
  modules?: Readonly<Record<string, ModuleLike>> | null | undefined
  /** The links between modules; requires `modules`. */
  links?: readonly Link[] | null | undefined
  /** Receives the events of each run, including those of the wrapped models and retrievers. @defaultValue a manager without handlers */
  callbackManager?: CallbackManager | null | undefined
  /** Whether to pass each module that runs, with its inputs, to `logger`. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives one line per module that runs, if `verbose` is true. @defaultValue no logger */
  logger?: ((text: string) => void) | undefined
  /** Whether to call `onProgress`. @defaultValue false */
  showProgress?: boolean | undefined
  /** Called after each module that ran or was skipped if `showProgress` is true; receives the numbers of finished and of all modules. */
  onProgress?: ((done: number, all: number) => void) | undefined
  /** The maximum number of modules that run at the same time. @defaultValue 4 */
  numWorkers?: number | undefined
  /** Whether to throw for an input that a fixed value would override. @defaultValue false */
  strictPartials?: boolean | undefined
  /** Fixed inputs for use as a component of another pipeline. `run` ignores them. */
  partial?: Dict | undefined
}

/** The options of one run. */
export interface RunOptions extends Omit<PipelineRunOptions, 'callbackManager'> {
  /** Whether to return a single output as its value instead of as an object by name. @defaultValue true */
  returnValuesDirect?: boolean | undefined
  /** Receives the events of this run and of its modules. @defaultValue the manager of the pipeline; if it has none, that of each module */
  callbackManager?: CallbackManager | null | undefined
  /** Called before each module that runs, with its inputs. */
  onModuleStart?: ((key: string, inputs: Readonly<Dict>) => void) | undefined
  /** Called after each module that ran, with its inputs and outputs. */
  onModuleEnd?: ((key: string, inputs: Readonly<Dict>, outputs: Readonly<Dict>) => void) | undefined
}

/** The names of all options; the type requires each of them. */
export const pipelineOptions: Record<keyof QueryPipelineOptions, true> = {
  chain: true,
  modules: true,
  links: true,
  callbackManager: true,
  verbose: true,
  logger: true,
  showProgress: true,
  onProgress: true,
  numWorkers: true,
  strictPartials: true,
  partial: true,
}

export const runOptions: Record<keyof RunOptions, true> = {
  returnValuesDirect: true,
  callbackManager: true,
  onModuleStart: true,
  onModuleEnd: true,
  signal: true,
  parentId: true,
  context: true,
  order: true,
  '~slots': true,
}

/** @throws {ConfigurationError} if an option is not among the known ones. */
export function checkKnown(where: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const names = Object.keys(known).filter((name) => !name.startsWith('~'))
  throw new ConfigurationError(`${where}: unknown option ${unknown.join(', ')}; expected ${names.join(', ')}.`)
}

/** @throws {ConfigurationError} unless the value is undefined, an integer of at least 1, or infinite. */
export function checkWorkers(where: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 1)) return
  throw new ConfigurationError(`${where}: expected an integer of at least 1, received ${String(value)}.`)
}
