// Sends published messages to replicas. Runs on the publisher's thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.PubSub;

/// <summary>A message is no effect on data, but subscribers of replicas receive it too.</summary>
internal static class MessageEffect
{
    /// <summary>Passes the message in the context's first two arguments on, after what its transaction has done before.</summary>
    public static void PassOn(ref CommandContext context, ServerReplication replication, ReadOnlySpan<byte> command)
    {
        if (!replication.Effects.IsReplicating || !context.HasSink)
            return;
        EffectBuffer effects = context.Client.Propagation.Effects;
        effects.Begin(3).Add(command).Add(context[1]).Add(context[2]);
        if (context.Client.Transactions.IsExecuting)
            return;
        replication.Effects.Stream.AppendVerbatim(effects.Written, isForLinks: true);
        effects.Clear();
    }
}
