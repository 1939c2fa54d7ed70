// Requests that are too large. Thread-safe.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// An effect, and the queue of a transaction, must fit into one contiguous buffer; and arguments that become text take two bytes for each
/// byte, and cannot be longer than a gigabyte. Refused before anything is changed.
/// </summary>
internal sealed class SizeGate() : Gate(GateMask.Size)
{
    // The longest argument that a command about connections or the server takes.
    private const long MaxTextBytes = 16 << 20;

    /// <summary>
    /// Size from which a request or a transaction is refused, because its effects could not be propagated; lower in tests.
    /// </summary>
    public long MaxEffectBytes { get; set; } = EffectBuffer.MaxRequestBytes;

    /// <summary>Size up to which no request is refused.</summary>
    public long SmallBytes => Math.Min(MaxTextBytes, MaxEffectBytes);

    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => true;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        if (request.Origin.IsCalled)
            return HasTooLongEffects(ref request) ? RefusalKind.TooLong : default;
        long bytes = request.RequestBytes + (request.Client.Transactions.Open?.ArgumentBytes ?? 0);
        if (bytes > MaxEffectBytes && IsTooLong(ref request))
            return RefusalKind.TooLong;
        return bytes > MaxTextBytes && HasLongText(ref request) ? RefusalKind.TextTooLong : default;
    }

    // The effects of a script must fit into one buffer, as those of a transaction.
    private bool HasTooLongEffects(ref CommandContext request) =>
        request.HasSink && request.Command.IsWrite && request.Client.Propagation.Bytes + request.ArgumentBytes > MaxEffectBytes;

    private static bool IsTooLong(ref CommandContext request) =>
        request.Client.Transactions.Open is null
            ? request.HasSink && (request.Command.Flags & CommandFlags.Write) != 0
            : !request.Command.Has(CommandTraits.ControlsTransaction);

    // Commands about connections and the server convert their arguments: names, patterns, values of options.
    private static bool HasLongText(ref CommandContext request)
    {
        Command command = request.Command;
        bool isOfServer = command.Descriptor.Group is CommandGroup.Connection or CommandGroup.Server or CommandGroup.Cluster;
        if (!isOfServer || command.Descriptor.Keys.Length > 0 || command.Has(CommandTraits.TakesLongArguments))
            return false;
        for (int i = 1; i < request.Count; i++)
        {
            if (request[i].Length > MaxTextBytes)
                return true;
        }

        return false;
    }
}
