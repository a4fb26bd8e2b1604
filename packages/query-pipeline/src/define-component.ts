/**
 * @module
 * Components with typed inputs and outputs, for {@link definePipeline} or for use on their own.
 */
import { checkOption, required } from '@x/core/options'
import {
  ComponentInputError,
  ComponentOutputError,
  DefinedComponent,
  type Dict,
  type StandardSchema,
} from '@x/core-model'
import type { PipelineRunOptions } from './component.ts'

/** A value of type `T`, which only the compiler checks; see {@link typed}. */
export interface Typed<T> {
  readonly kind: 'typed'
  /** Never set; carries the type. */
  readonly type?: T
}

/**
 * The declaration of an input or output: a type for the compiler, or a Standard Schema, such as a zod schema, which also validates at run
 * time.
 */
type ValueSpec = Typed<unknown> | StandardSchema

/** An input that may be missing; see {@link optional}. */
export interface OptionalInput<S extends ValueSpec = ValueSpec> {
  readonly kind: 'optional'
  readonly spec: S
}

/** The inputs of a component, by name. */
export type InputSpecs = Readonly<Record<string, ValueSpec | OptionalInput>>

/** The outputs of a component, by name. */
type OutputSpecs = Readonly<Record<string, ValueSpec>>

/** The type of the value that a link may deliver. */
type Given<S> =
  S extends Typed<infer T>
    ? T
    : S extends { readonly '~standard': { readonly types?: { readonly input: infer T } | undefined } }
      ? T
      : never

/** The type of the value after its check. */
type Checked<S> = S extends Typed<infer T> ? T : S extends StandardSchema<infer T> ? T : never

type SpecOf<S> = S extends OptionalInput<infer Inner> ? Inner : S
type OptionalKeys<I> = { [K in keyof I]: I[K] extends OptionalInput ? K : never }[keyof I]
type Flat<T> = { [K in keyof T]: T[K] }

/** The values that links and callers pass to inputs. */
export type InputValues<I> = Flat<
  { [K in Exclude<keyof I, OptionalKeys<I>>]: Given<SpecOf<I[K]>> } & { [K in OptionalKeys<I>]?: Given<SpecOf<I[K]>> }
>

/** The values that `run` receives. */
type CheckedInputs<I> = Flat<
  { [K in Exclude<keyof I, OptionalKeys<I>>]: Checked<SpecOf<I[K]>> } & {
    [K in OptionalKeys<I>]?: Checked<SpecOf<I[K]>>
  }
>

/** The values that a component returns. */
type OutputValues<O> = { -readonly [K in keyof O]: Checked<O[K]> }

/** A component whose inputs and outputs have types. */
export interface TypedComponent<Inputs, Outputs> extends DefinedComponent {
  /** Never set; carries the types. */
  readonly '~types'?: { inputs: Inputs; outputs: Outputs }
  runComponent(inputs?: Readonly<Inputs & Dict>, options?: PipelineRunOptions): Promise<Outputs & Dict>
}

/**
 * Returns the spec of a value of type `T`, which only the compiler checks.
 * @example
 * const component1 = defineComponent({ inputs: { n: typed<number>() }, outputs: {}, run: () => ({}) })
 * component1.inputKeys.required // => ['n']
 */
export function typed<T>(): Typed<T> {
  return { kind: 'typed' }
}

/**
 * Returns the spec of an input that may be missing.
 * @example
 * const greet = defineComponent({
 *   inputs: { name: typed<string>(), title: optional(typed<string>()) },
 *   outputs: { text: typed<string>() },
 *   run: ({ name, title = '' }) => ({ text: `Hello ${title}${name}` }),
 * })
 * await greet.runComponent({ name: 'Ann' }) // => { text: 'Hello Ann' }
 */
export function optional<const S extends ValueSpec>(spec: S): OptionalInput<S> {
  return { kind: 'optional', spec }
}

/** The options of {@link defineComponent}. */
interface ComponentDefinition<I extends InputSpecs, O extends OutputSpecs, Fixed extends keyof InputValues<I>> {
  /** The name in error messages. @defaultValue 'component' */
  name?: string | undefined
  /** The inputs, each `typed<T>()`, a Standard Schema, or `optional(…)` of these. */
  inputs: I
  /** The outputs, each `typed<T>()` or a Standard Schema. */
  outputs: O
  /** Computes the outputs. */
  run: (inputs: CheckedInputs<I>, options: PipelineRunOptions) => OutputValues<O> | Promise<OutputValues<O>>
  /** Fixed inputs. They override inputs of the run. */
  partial?: Pick<InputValues<I>, Fixed> | undefined
}

type WithFixed<Inputs, Fixed extends keyof Inputs> = Flat<Omit<Inputs, Fixed> & Partial<Pick<Inputs, Fixed>>>

/**
 * Creates a component from a function. The types of the inputs and outputs are inferred from their specs; a Standard Schema also
 * validates and converts the values at run time. The compiler checks links between such components in {@link definePipeline}.
 *
 * At run time, it throws `component_input` for an input that is missing, unknown or invalid by its schema, and `component_output` for such
 * an output.
 * @example
 * const words = defineComponent({
 *   inputs: { text: typed<string>() },
 *   outputs: { words: typed<string[]>(), count: typed<number>() },
 *   run: ({ text }) => ({ words: text.split(' '), count: text.split(' ').length }),
 * })
 * await words.runComponent({ text: 'a fine day' }) // => { words: ['a', 'fine', 'day'], count: 3 }
 */
export function defineComponent<
  const I extends InputSpecs,
  const O extends OutputSpecs,
  Fixed extends keyof InputValues<I> = never,
>(definition: ComponentDefinition<I, O, Fixed>): TypedComponent<WithFixed<InputValues<I>, Fixed>, OutputValues<O>> {
  checkOption('defineComponent', 'definition', definition, required('a definition', 'inputs', 'outputs', 'run'))
  const { name = 'component', inputs: inputSpecs, outputs: outputSpecs, run, partial } = definition
  const names = Object.keys(inputSpecs)
  const keys = {
    required: names.filter((key) => !isOptional(inputSpecs[key]!)),
    optional: names.filter((key) => isOptional(inputSpecs[key]!)),
  }
  return new DefinedComponent({
    name,
    inputKeys: () => keys,
    outputKeys: Object.keys(outputSpecs),
    partial,
    run: async (given, options) => {
      const inputs = await checkedValues(
        given,
        inputSpecs,
        (key, message) => new ComponentInputError(`${name}: input ${key}: ${message}.`, [key]),
      )
      const outputs: Dict = await run(inputs as CheckedInputs<I>, options)
      return checkedValues(
        outputs,
        outputSpecs,
        (key, message) => new ComponentOutputError(`${name}: output ${key}: ${message}.`),
      )
    },
  }) as TypedComponent<WithFixed<InputValues<I>, Fixed>, OutputValues<O>>
}

/** Whether an input may be missing. */
export function isOptional(spec: ValueSpec | OptionalInput): spec is OptionalInput {
  return 'kind' in spec && spec.kind === 'optional'
}

/** Returns the values after validation by their schemas. Missing values and values without a schema are unchanged. */
export async function checkedValues(
  values: Dict,
  specs: InputSpecs,
  error: (key: string, message: string) => Error,
): Promise<Dict> {
  const found: Dict = { ...values }
  for (const [key, given] of Object.entries(specs)) {
    const spec = isOptional(given) ? given.spec : given
    if (!('~standard' in spec) || found[key] === undefined) continue
    const result = await spec['~standard'].validate(found[key])
    if (result.issues) {
      const [{ message = 'not valid', path = [] } = {}] = result.issues
      const place = path.map((step) => `${String(typeof step === 'object' ? step.key : step)}`).join('.')
      throw error(place ? `${key}.${place}` : key, message)
    }
    found[key] = result.value
  }
  return found
}
