// A large value that others still read. Stateless.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;
using Garnet.Store.Records;

namespace Garnet.Engine.Execution;

/// <summary>
/// Many megabytes are copied on another thread, once per command; if the block is shared again by then, the command copies it itself. EXEC
/// does not wait: it changes the keys of its commands.
/// </summary>
internal sealed class SharedBlockGate(HybridLogStore store) : Gate(GateMask.SharedBlock)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandTraits.ChangesPart);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        ref bool hasCopied = ref request.Client.Wait.HasCopiedBlock;
        bool isCopied = hasCopied;
        hasCopied = false;
        if (isCopied || request.Store.Barrier.IsGuest || !SharedBlocks.MustCopy(request.Store, request[1], request.Hash(1)))
            return default;
        hasCopied = true;
        return GateAnswer.WaitFor(Copy(request.Store.Database, request[1].ToArray()));
    }

    private Task Copy(int database, byte[] key) => Task.Run(() => SharedBlocks.Copy(store, database, key));
}
