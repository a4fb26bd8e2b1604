/**
 * @module
 * Checks the keys of a link against the modules it connects.
 */
import { ComponentInputError, type Dict, type QueryComponent } from '@x/core-model'
import { contextKeys } from './component.ts'
import { PipelineInputError, PipelineOutputError } from './errors.ts'
import type { Link } from './graph.ts'

/**
 * Checks the keys of a link. Components that declare no keys, such as `InputComponent`, accept any.
 * @throws {PipelineOutputError} if the source does not have the output; without `srcKey`, if it does not have exactly one output.
 * @throws {ComponentInputError} if the target does not have the input.
 * @throws {PipelineInputError} without `destKey`, if the target does not have exactly one required input without a fixed value.
 */
export function checkLinkKeys({ src, dest, options }: Link, source: QueryComponent, target: QueryComponent): void {
  const outputs = source.outputKeys
  if (outputs.length > 0) outputKey(outputs, options.srcKey, src)
  inputKey(target, options.destKey, dest, contextKeys(target))
}

/** The name of the output that a link reads. */
export function outputKey(outputs: readonly string[], srcKey: string | null | undefined, src: string): string {
  const found = outputs.join(', ') || 'none'
  if (srcKey === null || srcKey === undefined) {
    if (outputs.length === 1) return outputs[0]!
    throw new PipelineOutputError(
      `a link from "${src}" without srcKey needs a source with exactly one output, found ${found}`,
    )
  }
  if (outputs.includes(srcKey)) return srcKey
  throw new PipelineOutputError(`module "${src}" has no output "${srcKey}"; its outputs: ${found}`)
}

/** The name of the input that a link writes. `context`: the inputs that the context of the run provides. */
export function inputKey(
  target: QueryComponent,
  destKey: string | null | undefined,
  dest: string,
  context: readonly string[],
): string {
  if (destKey !== null && destKey !== undefined) {
    const { required, optional } = target.inputKeys
    const isOpen = required.length === 0 && optional.length === 0
    if (isOpen || required.includes(destKey) || optional.includes(destKey)) return destKey
    const keys = [...required, ...optional].join(', ')
    throw new ComponentInputError(`QueryPipeline: module "${dest}" has no input "${destKey}"; its inputs: ${keys}.`, [
      destKey,
    ])
  }
  const all = target.freeReqInputKeys
  // If a component has a single input, the link provides it, even if the context has a value with this name.
  const free = all.length === 1 ? all : all.filter((key) => !context.includes(key))
  if (free.length === 1) return free[0]!
  throw new PipelineInputError(
    `a link to "${dest}" without destKey needs a target with exactly one required input without a fixed value, found ${free.join(', ') || 'none'}`,
  )
}

/** @throws {ComponentInputError} if a fixed value of a component would override an input of the run. */
export function checkNotFixed(key: string, component: QueryComponent, inputs: Dict): void {
  const fixed = Object.keys(inputs).filter((input) => Object.hasOwn(component.partialInputs, input))
  if (fixed.length === 0) return
  throw new ComponentInputError(
    `Module "${key}": the fixed values of ${fixed.join(', ')} would override inputs of the run.`,
    fixed,
  )
}
