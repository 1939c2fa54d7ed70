// GEORADIUS_RO key longitude latitude radius unit [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] [ASC | DESC]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>GEORADIUS without STORE.</summary>
internal static class GeoRadiusRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEORADIUS_RO",
        Arity = -6,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "3.2.10",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => GeoSearch.Execute(ref context, GeoForm.AroundPosition | GeoForm.ReadOnly);
}
