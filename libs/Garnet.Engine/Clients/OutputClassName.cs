// The words for the classes of clients in options and commands. Stateless.
namespace Garnet.Engine.Clients;

/// <summary>Reads and writes the name of an <see cref="OutputClass"/>.</summary>
internal static class OutputClassName
{
    /// <summary>The classes in the order in which options list them.</summary>
    public static IReadOnlyList<OutputClass> All { get; } = [OutputClass.Normal, OutputClass.Replica, OutputClass.PubSub];

    /// <summary>The class of a name in any case; replicas also have an older name.</summary>
    public static bool TryParse(string name, out OutputClass outputClass)
    {
        OutputClass? found = name.ToUpperInvariant() switch
        {
            "NORMAL" => OutputClass.Normal,
            "REPLICA" or "SLAVE" => OutputClass.Replica,
            "PUBSUB" => OutputClass.PubSub,
            _ => null,
        };
        outputClass = found ?? OutputClass.Normal;
        return found is not null;
    }

    /// <summary>The name of a class.</summary>
    public static string Of(OutputClass outputClass) =>
        outputClass switch
        {
            OutputClass.Replica => "replica",
            OutputClass.PubSub => "pubsub",
            _ => "normal",
        };
}
