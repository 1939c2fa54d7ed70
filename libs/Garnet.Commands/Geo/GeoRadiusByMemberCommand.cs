// GEORADIUSBYMEMBER key member radius unit [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] [ASC | DESC] [STORE key | STOREDIST key]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>Finds the members within a circle around a member.</summary>
internal static class GeoRadiusByMemberCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEORADIUSBYMEMBER",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Geo,
        Since = "3.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
            KeySpec.KeywordRange("STORE", 5, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update | KeySpecFlags.VariableFlags),
            KeySpec.KeywordRange("STOREDIST", 5, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update | KeySpecFlags.VariableFlags),
        ],
        FindKeys = GeoOptions.FindKeys,
        Event = GeoEvents.RadiusStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => GeoSearch.Execute(ref context, GeoForm.AroundMember);
}
