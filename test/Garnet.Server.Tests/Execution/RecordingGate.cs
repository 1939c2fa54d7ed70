// A gate that notes who asks it. Used by one test; any thread of its server.
using System.Collections.Concurrent;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Tests.Execution;

/// <summary>Concerns every command, and lets every request pass unless it is told to refuse.</summary>
internal sealed class RecordingGate(GateMask bit, ConcurrentQueue<(Origin Origin, GateMask Gate)> asked) : Gate(bit)
{
    /// <summary>Whether it refuses requests of this origin.</summary>
    public Origin? Refused { get; init; }

    public override bool Concerns(in CommandNeeds needs) => true;

    public override GateAnswer Ask(ref CommandContext request)
    {
        asked.Enqueue((request.Origin, Bit));
        return request.Origin == Refused ? new Refusal(RefusalKind.Custom, "ERR refused by the test"u8.ToArray()) : default(GateAnswer);
    }
}
