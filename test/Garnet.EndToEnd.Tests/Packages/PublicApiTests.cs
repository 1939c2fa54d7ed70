// Holds what applications can call to a list that is looked at when it changes. Reads the built libraries and one file.
using Garnet.Caching;
using Garnet.Client;
using Garnet.Hosting;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Configuration;
using Garnet.Store.Eviction;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

public sealed class PublicApiTests
{
    private const string WriteSwitch = "GARNET_WRITE_DOCS";

    private static string Baseline => RepositoryRoot.Combine("packaging", "public-api.txt");

    // What else is public is the rooms' way to each other, and no promise.
    private static IEnumerable<Type> Types =>
        [
            .. typeof(GarnetServer).Assembly.GetExportedTypes(),
            .. typeof(GarnetDistributedCache).Assembly.GetExportedTypes(),
            .. typeof(RespValue).Assembly.GetExportedTypes(),
            .. typeof(GarnetOptions).Assembly.GetExportedTypes().Where(static type => type.Namespace == typeof(GarnetOptions).Namespace),
            // What properties of the options are of.
            typeof(EvictionPolicy),
            typeof(AppendFsync),
        ];

    [Fact]
    public void The_types_of_all_options_are_in_the_list()
    {
        IEnumerable<Type> ours = typeof(GarnetOptions)
            .GetProperties()
            .Select(static property => property.PropertyType)
            .Select(static type => Nullable.GetUnderlyingType(type) ?? (type.IsGenericType ? type.GetGenericArguments()[0] : type))
            .Where(static type => type.Namespace!.StartsWith("Garnet", StringComparison.Ordinal));
        Assert.Empty(ours.Except(Types));
    }

    [Fact]
    public void What_applications_can_call_is_what_the_list_says()
    {
        string text = PublicApiText.Of(Types);
        if (Environment.GetEnvironmentVariable(WriteSwitch) == "1")
            File.WriteAllText(Baseline, text);
        string[] listed = File.ReadAllLines(Baseline);
        string[] found = text.TrimEnd('\n').Split('\n');
        Assert.True(
            listed.SequenceEqual(found),
            $"Not in packaging/public-api.txt:\n{string.Join('\n', found.Except(listed))}\nOnly there:\n{string.Join('\n', listed.Except(found))}\n"
                + $"When the change is meant: {WriteSwitch}=1 dotnet test test/Garnet.EndToEnd.Tests --filter PublicApiTests"
        );
    }
}
