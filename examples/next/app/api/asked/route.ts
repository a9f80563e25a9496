import { data } from '../todos/data';

/** What the API was asked for, for the check of this example. */
export function GET() {
  return Response.json(data.asked);
}
