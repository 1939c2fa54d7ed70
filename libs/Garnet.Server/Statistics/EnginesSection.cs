// INFO scriptingengines. Any thread.
using Garnet.Server.Basics;
using Garnet.Server.Scripting;

namespace Garnet.Server.Statistics;

/// <summary>The engines of scripts, of which there is one, and their memory.</summary>
internal sealed class EnginesSection(ServerScripts scripts) : InfoSection("scriptingengines", "Scripting Engines", isDefault: false)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        FunctionCatalog functions = scripts.Functions.Catalog;
        long used = scripts.MachineBytes + functions.StateBytes;
        long overhead = scripts.Cache.Bytes + functions.Bytes;
        text.Field("engines_count", 1);
        text.Field("engines_total_used_memory", used);
        text.Field("engines_total_memory_overhead", overhead);
        text.Field("engine_0", $"name={FunctionCatalog.Engine},module=built-in,used_memory={used},memory_overhead={overhead}");
    }
}
