// Commands that need every value, while some are on disk. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Server.Tiering;

/// <summary>Logs and replicas do not include values on disk yet: what would begin one is refused.</summary>
internal sealed class TierGate(HybridLogStore store) : Gate(GateMask.Tier)
{
    private static readonly string[] Names = ["bgrewriteaof", "sync", "psync", "replicaof", "slaveof", "migrate", "debug|loadaof"];

    private static readonly byte[] Error = "ERR not possible with maxdisk yet: values on disk are in no log and on no replica"u8.ToArray();

    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => Names.Contains(needs.Command.FullName);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) => store.Tier is null ? default : GateAnswer.Refuse(Error);
}
