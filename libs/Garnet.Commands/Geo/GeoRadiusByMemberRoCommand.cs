// GEORADIUSBYMEMBER_RO key member radius unit [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] [ASC | DESC]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>GEORADIUSBYMEMBER without STORE.</summary>
internal static class GeoRadiusByMemberRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEORADIUSBYMEMBER_RO",
        Arity = -5,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "3.2.10",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => GeoSearch.Execute(ref context, GeoForm.AroundMember | GeoForm.ReadOnly);
}
