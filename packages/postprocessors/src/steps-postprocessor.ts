/**
 * @module
 * The base of the postprocessors that run others.
 */
import { tryRead } from '@x/core/reading'
import { isPlainObject, kindOf } from '@x/core/values'
import {
  type CallbackManager,
  ComponentOutputError,
  type Dict,
  type Model,
  type ModelClass,
  type ModelConstructor,
  type NestedClasses,
  type NodesPostprocessor,
  type NodeWithScore,
  type ReadOptions,
  UnknownClassNameError,
} from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import { StepsPostprocessorModel } from './generated/steps-postprocessor.ts'
import { NodePostprocessor, notScored, type PostprocessRun } from './node-postprocessor.ts'

/** A step of a pipeline or of a fusion: a postprocessor of this package, or any object with this method. */
export interface PostprocessorLike extends NodesPostprocessor {}

/**
 * A postprocessor that runs others: the steps in the field that `nested` declares with `stepClasses`.
 * @public Generated models extend it.
 */
export abstract class StepsPostprocessor extends StepsPostprocessorModel {
  /**
   * Reads a postprocessor from its wire form. The registry must know the classes of its steps. Live objects, such as a model, are passed in
   * `overrides`: in the field of the steps, the options of each step at its position, or the step itself.
   * @throws {ModelValidationError} if the data or an override is invalid.
   * @throws {UnknownClassNameError} if the registry does not know a step.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    const field = stepsField(this as unknown as ModelClass)
    const withOwn = withSteps(this.spec().name, field, data, overrides, options)
    return super.fromDict.call(this, data, withOwn, options) as T
  }

  override needsQuery(): boolean {
    return this.steps().some((step) => step.needsQuery?.() === true)
  }

  /** Sets the callback manager of this postprocessor and of its steps. */
  override setCallbackManager(manager: CallbackManager): void {
    super.setCallbackManager(manager)
    for (const step of this.steps()) step.setCallbackManager?.(manager)
  }

  private steps(): readonly PostprocessorLike[] {
    return (this as unknown as Record<string, readonly PostprocessorLike[]>)[
      stepsField(this.constructor as typeof StepsPostprocessor)
    ]!
  }
}

/** Returns the name of the field with the steps. */
const stepsField = (stepped: Pick<ModelClass, 'nested'>): string => Object.keys(stepped.nested())[0]!

/** Returns the declaration of nested steps: the base class, and the method that other accepted objects must have. */
export function stepClasses(): NestedClasses {
  // The class is abstract, so data is read by a registry.
  return { classes: [NodePostprocessor as unknown as ModelClass], methods: ['postprocessNodes'] }
}

/**
 * Returns overrides that contain the steps in `field`: those of which the overrides have options are read from the data with them.
 * @param name - the name of the class, for errors.
 */
function withSteps(name: string, field: string, data: unknown, overrides: Dict, options: ReadOptions): Dict {
  const given = overrides[field]
  const steps = isPlainObject(data) ? data[field] : undefined
  const isStep = (item: unknown) => item !== undefined && !(isPlainObject(item) && !('postprocessNodes' in item))
  if (!Array.isArray(given) || !Array.isArray(steps) || given.every(isStep)) return overrides
  const read = (step: unknown, at: number): unknown => {
    if (isStep(given[at])) return given[at]
    const className = isPlainObject(step) ? step['class_name'] : undefined
    const known = typeof className === 'string' ? options.registry?.get(className) : undefined
    if (!known)
      throw new UnknownClassNameError(`${name}.${field}[${at}]`, typeof className === 'string' ? className : null)
    return tryRead([field, at], () => known.fromDict(step, given[at] as Dict | undefined, options))
  }
  return { ...overrides, [field]: [...steps.map(read), ...given.slice(steps.length)] }
}

/** Returns the result of a step. @throws {ComponentOutputError} when the step returns anything but scored nodes. */
export async function runStep(
  step: PostprocessorLike,
  nodes: readonly NodeWithScore[],
  { query, ...run }: Omit<PostprocessRun, 'reasons'>,
): Promise<readonly NodeWithScore[]> {
  const onProgress = run.onProgress as ((progress: unknown) => void) | undefined
  const result: unknown = await step.postprocessNodes(nodes, { ...run, onProgress, ...queryFor(step, query) })
  const found = notScored(result)
  if (!found) return result as NodeWithScore[]
  throw new ComponentOutputError(
    `${stepName(step)}.postprocessNodes${found.at}: expected ${found.expected}, received ${kindOf(found.value)}.`,
  )
}

/** The name of a step in ledgers and messages. */
export function stepName({ constructor }: PostprocessorLike): string {
  return constructor === Object ? 'postprocessor' : constructor.name
}
