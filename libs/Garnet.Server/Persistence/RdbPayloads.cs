// The payloads of DUMP and RESTORE. One for each thread, which uses it.
using Garnet.Engine.Execution;
using Garnet.Persistence.Rdb;
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>Made when they are first needed, and used again by each command.</summary>
internal sealed class RdbPayloads
{
    /// <summary>That of a thread.</summary>
    public static readonly ThreadSlot<RdbPayloads> OfThread = new(static _ => new RdbPayloads());

    /// <summary>Encodes one value.</summary>
    public RdbPayloadWriter Writer => field ??= new RdbPayloadWriter(compress: true, DoubleText.FormatShortest);

    /// <summary>Decodes one value.</summary>
    public RdbPayloadReader Reader => field ??= new RdbPayloadReader();
}
