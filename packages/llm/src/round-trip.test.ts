import { CallbackManager } from '@x/core-model'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as models from './index.ts'
import * as testing from './testing.ts'

const callbackManager = new CallbackManager()

describeRoundTrips({ ...models, ...testing }, { '': { live: { callbackManager } } })
