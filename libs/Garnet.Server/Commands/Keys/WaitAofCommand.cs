// WAITAOF numlocal numreplicas timeout
namespace Garnet.Server.Commands.Keys;

/// <summary>Waits until the append-only log of this server or of replicas holds the client's writes. There are no replicas, so none ever does.</summary>
internal static class WaitAofCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "WAITAOF",
        Arity = 4,
        Flags = CommandFlags.Blocking,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Blocking | AclCategories.Connection | AclCategories.Slow,
        Since = "7.2.0",
        Tips = ["request_policy:all_shards", "response_policy:agg_min"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!TryGetCount(ref context, 1, 1, "ERR value is out of range, value must between 0 and 1"u8, out long local)
            || !TryGetCount(ref context, 2, long.MaxValue, "ERR value is out of range, must be positive"u8, out long replicas)
            || !ReplicaWait.TryGetTimeout(ref context, 3, out long timeoutMs))
            return;
        if (local > 0)
            context.Reply.WriteError("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."u8);
        else if (replicas == 0 || context.Client.IsExecuting)
            ReplicaWait.WriteLocalAndReplicas(ref context.Reply);
        else
            context.Suspend(new ReplicaWait(context.Server.Time, timeoutMs, countsLocal: true));
    }

    private static bool TryGetCount(ref CommandContext context, int index, long max, ReadOnlySpan<byte> rangeError, out long count)
    {
        if (!context.TryGetInteger(index, out count))
            return false;
        if (count >= 0 && count <= max)
            return true;
        context.Reply.WriteError(rangeError);
        return false;
    }
}
