import { component } from '@x/core-model/schemas'
import { NodePostprocessor } from './node-postprocessor.schema.ts'

export const StepsPostprocessor = component(
  'StepsPostprocessor',
  'Runs other postprocessors, its steps.',
  {},
  { className: null, extends: NodePostprocessor },
)
