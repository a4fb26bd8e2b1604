import { expect, it } from 'vitest'
import * as pipelines from './index.ts'

it('exports these names', () => {
  expect(Object.keys(pipelines).sort().join(' ')).toMatchInlineSnapshot(
    `"ArgPackComponent CustomQueryComponent FnComponent FunctionComponent InputComponent InputKeys KwargPackComponent Link MapComponent OutputKeys OutputParserComponent PipelineConfigError PipelineCycleError PipelineInputError PipelineModuleError PipelineOutputError PipelineRootError QueryPipeline RetryComponent RouterComponent SelectorComponent component definePipeline optional paramKeys subQueryComponents toComponent typed"`,
  )
})
