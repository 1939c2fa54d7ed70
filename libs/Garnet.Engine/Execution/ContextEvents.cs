// What a command tells of itself besides its changes: events of keys, hits and misses. The thread that executes it.
using Garnet.Engine.Events;

namespace Garnet.Engine.Execution;

/// <summary>Adds events and counts lookups.</summary>
internal static class ContextEvents
{
    extension(scoped in CommandContext context)
    {
        /// <summary>
        /// Adds a keyspace event that does not follow from the command's changes and its descriptor. Costs nothing while notifications are
        /// off.
        /// </summary>
        public void Notify(KeyEvent keyEvent, int keyArgument) => context.Notify(keyEvent, context.Client.Store.Database, keyArgument);

        /// <summary>The same for a key in another database.</summary>
        public void Notify(KeyEvent keyEvent, int database, int keyArgument)
        {
            if (context.Scratch.Events.IsOpen)
                context.Scratch.Events.Notify(keyEvent, database, context[keyArgument]);
        }

        /// <summary>Adds this event for each key that the command changes from here on.</summary>
        public void NotifyEach(KeyEvent keyEvent)
        {
            if (context.Scratch.Events.IsOpen)
                context.Scratch.Events.NotifyEach(keyEvent);
        }

        /// <summary>Adds this event instead of "del" for each key that the command removes from here on; none if it is null.</summary>
        public void NotifyInsteadOfDel(KeyEvent? keyEvent)
        {
            if (context.Scratch.Events.IsOpen)
                context.Scratch.Events.NotifyInsteadOfDel(keyEvent);
        }

        /// <summary>Counts a lookup of a read command as hit or miss (INFO stats), and tells of a miss.</summary>
        public void CountLookup(bool hit, int keyArgument)
        {
            if (hit)
                context.Scratch.Counters.KeyspaceHits++;
            else
                context.CountLookup(hit, context[keyArgument]);
        }

        /// <summary>The same for a key that is no argument.</summary>
        public void CountLookup(bool hit, ReadOnlySpan<byte> key)
        {
            context.CountLookupOnly(hit);
            if (!hit && context.Scratch.Events.IsOpen)
                context.Scratch.Events.Notify(KeyEvent.Missed, context.Client.Store.Database, key);
        }

        /// <summary>The same for commands that ask about a key rather than for its value: no event tells of a miss.</summary>
        public void CountLookupOnly(bool hit)
        {
            if (hit)
                context.Scratch.Counters.KeyspaceHits++;
            else
                context.Scratch.Counters.KeyspaceMisses++;
        }
    }
}
