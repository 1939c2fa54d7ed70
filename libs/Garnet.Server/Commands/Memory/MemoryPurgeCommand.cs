// MEMORY PURGE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Eviction;

namespace Garnet.Server.Commands.Memory;

/// <summary>
/// Makes the store and the garbage collector return unused memory. The store returns its log pages by itself as they become empty.
/// </summary>
internal sealed class MemoryPurgeCommand(MemoryAccount memory)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PURGE",
        Arity = 2,
        Flags = CommandFlags.Loading,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        MakeHandler = static parts => new MemoryPurgeCommand(parts.Get<MemoryAccount>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (!context.Client.Transactions.IsExecuting)
        {
            context.Suspend(new CollectedHeap(context.Store.Store, memory));
            return;
        }

        // Inside EXEC nothing may wait, so the collector works at its own pace.
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Optimized, blocking: false);
        context.Reply.WriteOk();
    }
}
