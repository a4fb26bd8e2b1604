/**
 * @module
 * The options of pipelines and runs, and their validation.
 */
import {
  callback,
  callbackManager,
  callOptions,
  dict,
  flag,
  list,
  type OptionCheck,
  type OptionTable,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import type { CallbackManager, Dict } from '@x/core-model'
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
  maxConcurrency?: number | undefined
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

/** The number of modules or calls at the same time. */
export const workers: OptionCheck = wholeNumber(1, 'or infinity')

export const pipelineOptions: OptionTable<QueryPipelineOptions> = {
  chain: list,
  modules: dict,
  links: list,
  callbackManager,
  verbose: flag,
  logger: callback,
  showProgress: flag,
  onProgress: callback,
  maxConcurrency: workers,
  strictPartials: flag,
  partial: dict,
}

export const runOptions: OptionTable<RunOptions> = {
  ...callOptions,
  returnValuesDirect: flag,
  callbackManager,
  onModuleStart: callback,
  onModuleEnd: callback,
  context: dict,
  order: list,
  '~slots': unchecked,
}
