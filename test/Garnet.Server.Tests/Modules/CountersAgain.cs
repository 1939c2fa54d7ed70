// A module for tests whose command has the name of another module's.
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>Cannot be loaded beside <see cref="Counters"/>.</summary>
[Module("again")]
public sealed class CountersAgain : IModule
{
    public void Load(IModuleHost host) { }

    [Command("CNT.GET")]
    public static void Get(ref ModuleContext context) => context.Reply.WriteOk();
}
