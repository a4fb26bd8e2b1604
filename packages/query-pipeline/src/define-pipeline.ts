/**
 * @module
 * Pipelines whose links the compiler checks.
 */

import { checkGiven, checkOption, dict, required } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import type { Dict } from '@x/core-model'
import { checkInputKeys } from '@x/core-model/components'
import { contextKeys, type ModuleLike } from './component.ts'
import { InputComponent } from './components.ts'
import { checkedValues, type InputSpecs, type InputValues, isOptional } from './define-component.ts'
import { PipelineConfigError, PipelineInputError, PipelineOutputError } from './errors.ts'
import type { LinkOptions } from './graph.ts'
import type { QueryPipelineOptions, RunOptions } from './options.ts'
import { QueryPipeline } from './query-pipeline.ts'

/** Modules by key; see {@link definePipeline}. */
type PipelineModules = Readonly<Record<string, ModuleLike>>

/** Prompts, models and other components without types accept and return anything. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Open<Value = any> = Record<string, Value>

type TypesOf<M> = M extends { readonly '~types'?: infer T } ? Exclude<T, undefined> : never
type InputsOf<M> = [TypesOf<M>] extends [{ inputs: infer I }] ? ([TypesOf<M>] extends [never] ? Open : I) : Open
type OutputsOf<M> = [TypesOf<M>] extends [{ outputs: infer O }] ? ([TypesOf<M>] extends [never] ? Open : O) : Open

/** The outputs by source module: those of the modules, and the inputs of the pipeline under `input`. */
type AllOutputs<I, Ms> = { [K in keyof Ms]: OutputsOf<Ms[K]> } & { input: InputValues<I> }

/** The names of outputs, `module.output`. */
type Sources<All> = { [K in keyof All & string]: `${K}.${keyof All[K] & string}` }[keyof All & string]

type ValueOf<All, S> = S extends `${infer K}.${infer O}`
  ? K extends keyof All
    ? O extends keyof All[K]
      ? All[K][O]
      : never
    : never
  : never

/** The outputs that have a type. */
type SourcesOf<All, T> = { [S in Sources<All>]: ValueOf<All, S> extends T ? S : never }[Sources<All>]

/** A link with a condition or a conversion. */
type DetailedLink<All, T> = {
  [S in Sources<All>]:
    | {
        from: S
        /** Whether the link is followed; receives the value of the output. */
        when?: ((value: ValueOf<All, S>) => boolean | Promise<boolean>) | undefined
        /** Converts the value of the output. */
        convert: (value: ValueOf<All, S>) => T | Promise<T>
      }
    | (ValueOf<All, S> extends T
        ? {
            from: S
            when?: ((value: ValueOf<All, S>) => boolean | Promise<boolean>) | undefined
            convert?: undefined
          }
        : never)
}[Sources<All>]

/** The source of an input of module `K`. If several sources deliver a value, the last one is used. */
type SourceFor<All, T, K extends string> =
  | Exclude<SourcesOf<All, T>, `${K}.${string}`>
  | DetailedLink<All, T>
  | readonly (Exclude<SourcesOf<All, T>, `${K}.${string}`> | DetailedLink<All, T>)[]

type SourcesFor<All, Inputs, K> = { [I in keyof Inputs]: SourceFor<All, Inputs[I], K & string> }

/** The keys of modules that have at least one required input. */
type NeedsLinks<Ms> = { [K in keyof Ms]: Record<never, never> extends InputsOf<Ms[K]> ? never : K }[keyof Ms]

type LinksOf<All, Ms> = { [K in NeedsLinks<Ms>]: SourcesFor<All, InputsOf<Ms[K]>, K> } & {
  [K in Exclude<keyof Ms, NeedsLinks<Ms>>]?: SourcesFor<All, InputsOf<Ms[K]>, K>
}

/** One output, or several by name. If several sources of a name deliver a value, the last one is used. */
type OutputSpec<All> = Sources<All> | Readonly<Record<string, Sources<All> | readonly Sources<All>[]>>

type ValueOfAny<All, S> = S extends readonly (infer Each)[] ? ValueOf<All, Each> : ValueOf<All, S>

/** The result of a run. */
type ResultOf<All, O> = O extends string ? ValueOf<All, O> : { -readonly [K in keyof O]: ValueOfAny<All, O[K]> }

type OutputsOfPipeline<All, O> = O extends string ? { output: ValueOf<All, O> } : ResultOf<All, O>

/** The options of {@link definePipeline}; the other options are those of `QueryPipeline`. */
interface PipelineDefinition<I extends InputSpecs, Ms extends PipelineModules, O>
  extends Omit<QueryPipelineOptions, 'chain' | 'modules' | 'links' | 'partial'> {
  /** The inputs of the pipeline, each `typed<T>()`, a Standard Schema, or `optional(…)` of these. Links read them as `input.name`. */
  inputs: I
  /** The modules by key: components of `component`, pipelines, prompts, models, retrievers. */
  modules: Ms
  /** Per module and input: the source as `module.output` or as `{ from, when, convert }`, or an array of sources. */
  links: LinksOf<AllOutputs<I, Ms>, Ms>
  /** The result of a run: an output, `module.output`, or several by name. */
  output: O
}

/** A pipeline whose inputs and result have types. */
export interface TypedPipeline<Inputs, Result, Outputs> extends QueryPipeline {
  /** Never set; carries the types. */
  readonly '~types'?: { inputs: Inputs; outputs: Outputs }
  run(inputs: Inputs, options?: RunOptions): Promise<Result>
}

/**
 * Creates a pipeline whose links the compiler checks: it reports modules, inputs and outputs that do not exist, and values of the wrong
 * type. Prompts, models and other components without types accept and return anything.
 *
 * At run time, it throws `pipeline_input` for a missing or unknown input of the pipeline, and `pipeline_output` if no module delivered the
 * result.
 * @throws {PipelineConfigError} if a module is called `input` or `output` or has a dot in its key, or a source is not `module.output`.
 * @example
 * const words = defineComponent({
 *   inputs: { text: typed<string>() },
 *   outputs: { list: typed<string[]>() },
 *   run: ({ text }) => ({ list: text.split(' ') }),
 * })
 * const longest = defineComponent({
 *   inputs: { words: typed<readonly string[]>() },
 *   outputs: { word: typed<string>() },
 *   run: ({ words }) => ({ word: words.toSorted((a, b) => b.length - a.length)[0] ?? '' }),
 * })
 * const pipeline = definePipeline({
 *   inputs: { question: typed<string>() },
 *   modules: { words, longest },
 *   links: { words: { text: 'input.question' }, longest: { words: 'words.list' } },
 *   output: 'longest.word',
 * })
 * const word: string = await pipeline.run({ question: 'Who wrote Middlemarch?' })
 * word // => 'Middlemarch?'
 */
export function definePipeline<
  const I extends InputSpecs,
  const Ms extends PipelineModules,
  const O extends OutputSpec<AllOutputs<I, Ms>>,
>(
  definition: PipelineDefinition<I, Ms, O>,
): TypedPipeline<InputValues<I>, ResultOf<AllOutputs<I, Ms>, O>, OutputsOfPipeline<AllOutputs<I, Ms>, O>> {
  checkOption('definePipeline', 'definition', definition, required('a definition', 'inputs', 'modules'))
  return new DefinedPipeline(definition as unknown as AnyDefinition) as never
}

interface AnyLink {
  from: string
  when?: LinkOptions['conditionFn']
  convert?: LinkOptions['inputFn']
}
type AnySource = string | AnyLink | readonly (string | AnyLink)[]
type AnyDefinition = Omit<PipelineDefinition<InputSpecs, PipelineModules, unknown>, 'links'> & {
  links: Readonly<Record<string, Readonly<Record<string, AnySource | undefined>> | undefined>>
  output: string | Readonly<Record<string, AnySource>>
}

/** The keys of the modules that represent the inputs and the result of the pipeline. */
const inputModule = 'input'
const outputModule = 'output'

class DefinedPipeline extends QueryPipeline {
  private readonly specs: InputSpecs
  private readonly results: Readonly<Record<string, AnySource>>
  private readonly isSingle: boolean

  constructor({ inputs, modules, links, output, ...options }: AnyDefinition) {
    super(options)
    checkGiven('definePipeline', { links }, dict)
    this.specs = inputs
    this.isSingle = typeof output === 'string'
    this.results = typeof output === 'string' ? { output } : output
    this.add(inputModule, new InputComponent())
    for (const [key, module] of Object.entries(modules)) {
      if (key.includes('.')) throw new PipelineConfigError(`module "${key}": the key must not contain a dot`)
      this.add(key, module)
    }
    this.add(outputModule, new InputComponent())
    for (const [dest, sources] of Object.entries(links)) this.link(dest, sources ?? {})
    for (const key of Object.keys(modules)) this.checkLinked(key, links[key] ?? {})
    this.link(outputModule, this.results)
  }

  override get inputKeys() {
    const names = Object.keys(this.specs)
    const isFree = (key: string) => isOptional(this.specs[key]!)
    return { required: names.filter((key) => !isFree(key)), optional: names.filter(isFree) }
  }

  override get freeReqInputKeys(): readonly string[] {
    return this.inputKeys.required.filter((key) => !Object.hasOwn(this.partialInputs, key))
  }

  override get outputKeys(): readonly string[] {
    return Object.keys(this.results)
  }

  override get contextKeys(): readonly string[] {
    return []
  }

  override async run(inputs: unknown, options: RunOptions = {}): Promise<unknown> {
    return super.run({ inputs }, options)
  }

  protected override async runSingle(
    { inputs: given = {} }: { inputs?: Dict },
    options: RunOptions,
  ): Promise<{ result: unknown; outputs: Dict }> {
    const inputs = await this.checkedInputs(given)
    const present = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined))
    return this.inQueryEvent(present, options, async (scope) => {
      const roots = this.getRootKeys().map((key) => [key, key === inputModule ? inputs : {}])
      const found = await this.runGraph(Object.fromEntries(roots), scope)
      const outputs = found.find(([key]) => key === outputModule)?.[1] ?? {}
      const missing = this.outputKeys.filter((key) => !Object.hasOwn(outputs, key))
      if (missing.length > 0) throw new PipelineOutputError(`no module delivered the output ${missing.join(', ')}`)
      return { result: this.isSingle ? outputs[outputModule] : outputs, outputs }
    })
  }

  /** Returns all inputs by name after validation; missing inputs are undefined. */
  private async checkedInputs(given: Dict): Promise<Dict> {
    try {
      checkInputKeys('run', this.inputKeys, given)
    } catch (error) {
      throw new PipelineInputError(errorMessage(error).replace(/\.$/, ''))
    }
    const names = Object.keys(this.specs)
    const all = Object.fromEntries(names.map((key) => [key, given[key]]))
    return checkedValues(all, this.specs, (key, message) => new PipelineInputError(`input ${key}: ${message}`))
  }

  private link(dest: string, sources: Readonly<Record<string, AnySource | undefined>>): void {
    for (const [destKey, given] of Object.entries(sources))
      for (const source of [given ?? []].flat() as (string | AnyLink)[]) {
        const { from, when, convert }: AnyLink = typeof source === 'string' ? { from: source } : source
        const [src, ...rest] = from.split('.')
        if (rest.length === 0)
          throw new PipelineConfigError(
            `input "${destKey}" of module "${dest}": expected module.output, received ${from}`,
          )
        const srcKey = rest.join('.')
        const isFree = src === inputModule && Object.hasOwn(this.specs, srcKey) && isOptional(this.specs[srcKey]!)
        // The link does not deliver an input that is missing.
        const conditionFn = isFree ? (value: never) => value !== undefined && (when?.(value) ?? true) : when
        this.addLink(src!, dest, { srcKey, destKey, conditionFn, inputFn: convert })
        if (src === inputModule && !Object.hasOwn(this.specs, srcKey))
          throw new PipelineConfigError(`input "${destKey}" of module "${dest}": the pipeline has no input "${srcKey}"`)
      }
  }

  /** @throws {PipelineConfigError} if a required input has no link and no fixed value, and the context does not provide it. */
  private checkLinked(key: string, sources: object): void {
    const component = this.modules.get(key)!
    const context = contextKeys(component)
    const missing = component.freeReqInputKeys.filter(
      (name) => !Object.hasOwn(sources, name) && !context.includes(name),
    )
    if (missing.length > 0)
      throw new PipelineConfigError(`module "${key}": no link leads to its input ${missing.join(', ')}`)
  }
}
