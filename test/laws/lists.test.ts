import fc from 'fast-check';
import { it, vi } from 'vitest';
import { IssueDrama } from '../support/issueDrama.js';
import { issueHistories } from '../support/issueSteps.js';
import { search } from '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

const LENGTH = 25;

/*
 * A server holds issues, in lists that are filtered by status, by owner, by both or by nothing, and gives them page by page, by number or by
 * cursor. One client is a store; others create, edit, move and delete on the server. The server does what it is asked in the order of
 * sending; its answers come in any order, and some reads get lost. Where it served in another order, nobody could know what this law asks.
 *
 * In every state that a subscriber of the store sees, for each list that is there:
 * - no row is there twice, also not once as what is being created and once as what the server made of it;
 * - each row matches the filters by the fields that it is shown with, and none is a row whose deletion this client has been confirmed;
 * - a row that was there is there still, unless it is shown with fields that do not match, is being deleted by this client, could not be
 *   created, or an answer with the whole list came without it, that the server made after the last that puts the row there. What puts
 *   a row there is an answer to this list that has it, a confirmed write of this client that made it match, or what a socket told.
 *
 * Whenever nothing is under way, this client knows of a row all that the server does, if since it last looked at everything no other
 * client touched the row, or a socket has told of it. For each list, and for these rows alone:
 * - a row that is not in the list on the server is not shown in it, and one that is shown is as the server has it;
 * - a row of the newest whole answer, of a page that was added to it since, or that was put there since, is shown, if it is in the list on the
 *   server; what none of these has brought is not shown (but a list that is begun anew keeps its pages where another was asked for
 *   meanwhile, and has come: that one stands behind them);
 * - what this client has created and no page has brought stands behind what pages have brought.
 *
 * A list that is read again is read with as many pages as it is made of. When all lists were read again twice with nothing else under way,
 * each is what the server has, cut to its pages, in order. (Once is not enough: by reading one list the client may learn that a row has
 * moved to another, of which it has read the pages before that place.)
 */
it('lists hold what the server holds, as far as this client can know', async () => {
  await fc.assert(
    fc.asyncProperty(issueHistories(LENGTH), async (history) => {
      const drama = new IssueDrama(history);
      try {
        await drama.play(history.steps);
      } catch (error) {
        const told = error instanceof Error ? error.message : String(error);
        throw new Error(`${drama.story.join('\n')}\n${told}`, { cause: error });
      }
    }),
    search,
  );
});
