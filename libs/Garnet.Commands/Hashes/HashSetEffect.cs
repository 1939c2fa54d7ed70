// The effects of commands that compute the new value of a field. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Hashes;

/// <summary>Describes a command's effect as setting one field.</summary>
internal static class HashSetEffect
{
    /// <summary>HSET key field value, or with an expiry (not -1) HSETEX key PXAT time FIELDS 1 field value</summary>
    public static void Set(ref CommandContext context, scoped ReadOnlySpan<byte> value, long expiresAtMs)
    {
        if (!context.HasSink)
            return;
        if (expiresAtMs < 0)
        {
            context.BeginEffect(4).Add("HSET"u8).Add(context[1]).Add(context[2]).Add(value);
        }
        else
        {
            context.Client.Propagation.NeedsNewReplicas = true;
            context
                .BeginEffect(8)
                .Add("HSETEX"u8)
                .Add(context[1])
                .Add("PXAT"u8)
                .Add(expiresAtMs)
                .Add("FIELDS"u8)
                .Add(1)
                .Add(context[2])
                .Add(value);
        }
    }
}
