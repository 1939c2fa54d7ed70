// Holds what applications can call to a list that is looked at when it changes. Reads the built libraries and one file.
using System.Reflection;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

public sealed class PublicApiTests
{
    private static string Baseline => RepositoryRoot.Combine("packaging", "public-api.txt");

    private static IEnumerable<Type> Types => Assemblies.SelectMany(static assembly => assembly.GetExportedTypes());

    private static IEnumerable<Assembly> Assemblies =>
        Directory
            .GetFiles(
                AppContext.BaseDirectory,
                $"{Path.GetFileNameWithoutExtension(typeof(GarnetServer).Assembly.Location).Split('.')[0]}.*.dll"
            )
            .Select(static file => Assembly.Load(AssemblyName.GetAssemblyName(file)));

    [Fact]
    public void Every_library_is_checked() => Assert.Equal(LibraryFolders.Packages.Count, Assemblies.Count());

    [Fact]
    public void The_public_API_matches_the_list()
    {
        string text = PublicApiText.Of(Types);
        string[] listed = GeneratedDocument.WriteAndRead(Baseline, text).TrimEnd('\n').Split('\n');
        string[] found = text.TrimEnd('\n').Split('\n');
        Assert.True(
            listed.SequenceEqual(found),
            $"Not in packaging/public-api.txt:\n{string.Join('\n', found.Except(listed))}\nOnly there:\n{string.Join('\n', listed.Except(found))}\n"
                + GeneratedDocument.Remedy(Baseline, "Garnet.EndToEnd.Tests", nameof(PublicApiTests))
        );
    }
}
