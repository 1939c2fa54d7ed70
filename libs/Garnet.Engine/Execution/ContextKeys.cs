// The keys of a command: opened, read and latched by the arguments that name them. The thread that executes it.
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Opens, reads and latches keys beyond <see cref="CommandContext.Open(int)"/>.</summary>
internal static class ContextKeys
{
    extension(scoped in CommandContext context)
    {
        /// <summary>As <see cref="CommandContext.Open(int)"/>, without counting as an access of the key; for introspection.</summary>
        public RecordHandle OpenUntouched(int keyArgument)
        {
            bool touches = context.Client.Store.Accesses.Touches;
            context.Client.Store.Accesses.Touches = false;
            RecordHandle record = context.Open(keyArgument);
            context.Client.Store.Accesses.Touches = touches;
            return record;
        }

        /// <summary>
        /// As <c>Read</c> for a repeated read of the same command: counts neither as an access of the key nor as a lookup.
        /// </summary>
        public ReadOutcome ReadUntouched<TReader>(int keyArgument, RecordType type, ref TReader reader)
            where TReader : struct, IValueReader, allows ref struct
        {
            bool touches = context.Client.Store.Accesses.Touches;
            context.Client.Store.Accesses.Touches = false;
            ReadOutcome outcome = context.Client.Store.Reads.Read(context[keyArgument], context.Hash(keyArgument), type, ref reader);
            context.Client.Store.Accesses.Touches = touches;
            return outcome;
        }

        /// <summary>
        /// As <see cref="CommandContext.Open(int)"/> for the key whose value a result replaces. As in Valkey an expired key counts as
        /// expired where a result is stored; where the key is only removed, it is deleted like any other.
        /// </summary>
        public RecordHandle OpenTarget(int keyArgument, bool isStored) =>
            isStored
                ? context.Open(keyArgument)
                : context.Client.Store.OpenExpired(context.Client.Store.Database, context[keyArgument], context.Hash(keyArgument));

        /// <summary>Reads the key at an argument without a latch, and counts the hit or miss.</summary>
        public ReadOutcome Read<TReader>(int keyArgument, RecordType type, ref TReader reader)
            where TReader : struct, IValueReader, allows ref struct
        {
            ReadOutcome outcome = context.Client.Store.Reads.Read(context[keyArgument], context.Hash(keyArgument), type, ref reader);
            context.CountLookup(outcome != ReadOutcome.Missing, keyArgument);
            return outcome;
        }

        /// <summary>
        /// Latches the keys of these arguments together, so that they are read and changed atomically; later <see
        /// cref="CommandContext.Open(int)"/> calls use the held latches.
        /// </summary>
        /// <param name="first">Argument index of the first key.</param>
        /// <param name="step">Distance between keys.</param>
        /// <param name="keys">Number of keys.</param>
        /// <returns>
        /// The keys' hashes, so that a command of many or long keys takes them once. Void when keys are latched or hashed together again.
        /// </returns>
        public ReadOnlySpan<KeyReference> LatchKeys(int first, int step, int keys)
        {
            // In a transaction they are latched already.
            ReadOnlySpan<KeyReference> hashed = context.HashKeys(first, step, keys);
            if (!context.Client.Transactions.IsExecuting)
                context.Client.Store.Latch(hashed, mayAdd: (context.Command.Flags & CommandFlags.DenyOom) != 0);
            return hashed;
        }

        /// <summary>The hashes of these arguments as <c>LatchKeys(first, step, keys)</c> gives them, without latching anything.</summary>
        public ReadOnlySpan<KeyReference> HashKeys(int first, int step, int keys)
        {
            Span<KeyReference> references = context.Scratch.Pools.KeyReferences(keys);
            for (int i = 0; i < keys; i++)
                references[i] = new KeyReference(context.Client.Store.Database, context.Client.Store.Hash(context[first + (i * step)]));
            return references;
        }

        /// <summary>
        /// Opens one of several keys whose hashes are known, and prefetches the index entry and the record of keys that come soon: waiting
        /// for memory key by key is most of the time that a command of very many keys takes.
        /// </summary>
        /// <param name="keyArgument">Argument index of the key.</param>
        /// <param name="hashed">The hashes of all keys.</param>
        /// <param name="key">Which of them it is.</param>
        public RecordHandle Open(int keyArgument, ReadOnlySpan<KeyReference> hashed, int key)
        {
            context.PrefetchAfter(hashed, key);
            return context.Client.Store.Open(context[keyArgument], hashed[key].Hash);
        }

        /// <summary>The fetching that <c>Open</c> does, for commands that read without opening.</summary>
        public void PrefetchAfter(ReadOnlySpan<KeyReference> hashed, int key)
        {
            const int recordsAhead = 6;
            const int bucketsAhead = 2 * recordsAhead;
            if (key + bucketsAhead >= hashed.Length)
                return;
            context.Client.Store.PrefetchBucket(hashed[key + bucketsAhead].Hash);
            context.Client.Store.Reads.PrefetchRecord(hashed[key + recordsAhead].Hash);
        }

        /// <summary>
        /// As <c>LatchKeys(first, step, keys)</c> for keys that may be in other databases. EXEC has latched all keys of its commands
        /// already, or runs alone.
        /// </summary>
        public void LatchKeys(ReadOnlySpan<KeyReference> keys)
        {
            if (!context.Client.Transactions.IsExecuting)
                context.Client.Store.Latch(keys);
        }
    }
}
