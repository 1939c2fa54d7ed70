// Takes what a script needs before it runs: the latches of its keys, or the whole keyspace.
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>
/// A script that touches only the keys that its caller declares, and ends soon, runs with these keys latched beside other clients, as a
/// transaction does. All others run alone.
/// </summary>
internal sealed class ScriptKeys(ServerConfiguration configuration)
{
    // Latching so many keys takes longer than stopping the others.
    private const int MaxLatchedKeys = 64;

    /// <summary>Whether a call of a script needs nothing but its keys.</summary>
    public bool MayRunBesideOthers(ref CommandContext context, RunnableScript script, int keys) =>
        script.KeyUse == KeyUse.Declared
        && keys <= MaxLatchedKeys
        && !context.Store.Barrier.IsExclusive
        && !context.Client.Transactions.IsExecuting
        // Functions of environments give scripts more ways to reach a table than its name.
        && !configuration.Current.LuaEnableInsecureApi;

    /// <summary>Latches the declared keys until the script ends.</summary>
    public static void Latch(ref CommandContext context, int keys)
    {
        if (keys > 0)
            context.LatchKeys(KeyCount.FirstKey, 1, keys);
    }

    /// <summary>
    /// Latches the keys of a call, or takes the whole keyspace, until it ends. False, with the error written, when the script may no longer
    /// run.
    /// </summary>
    public bool TryBegin(ref CommandContext context, RunnableScript script, int keys)
    {
        if (!MayRunBesideOthers(ref context, script, keys))
            return context.Client.Executor.TryBeginAlone(ref context);
        // Compiling a long script has let others change the state.
        if (!context.Client.Executor.MayStillBegin(ref context))
            return false;
        Latch(ref context, keys);
        return true;
    }
}
