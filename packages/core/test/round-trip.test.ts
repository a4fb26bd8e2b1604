import { describeRoundTrips } from '../../../tools/arbitrary-model.ts'
import { Author, Book } from './sample-models.ts'

describeRoundTrips({ Author, Book })
