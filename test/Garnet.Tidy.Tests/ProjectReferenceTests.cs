// Checks that projects reference each other in one direction only. Each test reads project files only.
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Garnet.Testing;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed class ProjectReferenceTests
{
    // The references that each project may have; a project that is not listed fails, so that a new one must be added here.
    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Garnet.Store"] = [],
        ["Garnet.Protocol"] = [],
        ["Garnet.Network"] = [],
        ["Garnet.Lua"] = [],
        ["Garnet.Persistence"] = ["Garnet.Store"],
        ["Garnet.Engine"] = ["Garnet.Store", "Garnet.Protocol"],
        ["Garnet.Commands"] = ["Garnet.Engine", "Garnet.Store", "Garnet.Protocol"],
        ["Garnet.Server"] = ["Garnet.Engine", "Garnet.Commands", "Garnet.Store", "Garnet.Protocol", "Garnet.Persistence", "Garnet.Lua"],
        ["Garnet.Modules.Generator"] = [],
        ["Garnet.Modules"] = ["Garnet.Server", "Garnet.Store", "Garnet.Protocol", "Garnet.Modules.Generator"],
        ["Garnet.Client"] = ["Garnet.Protocol"],
        ["Garnet.Cli"] = ["Garnet.Client", "Garnet.Protocol"],
        ["Garnet.Bench"] = ["Garnet.Client", "Garnet.Network", "Garnet.Protocol"],
        ["Garnet.Dashboard"] = ["Garnet.Client", "Garnet.Protocol"],
        ["Garnet.Hosting"] =
        [
            "Garnet.Store",
            "Garnet.Protocol",
            "Garnet.Network",
            "Garnet.Persistence",
            "Garnet.Server",
            "Garnet.Modules",
            "Garnet.Client",
            "Garnet.Dashboard",
        ],
        ["Garnet.Caching"] = ["Garnet.Hosting", "Garnet.Client"],
        ["Garnet.Fusion"] = ["Garnet.Caching"],
        ["GarnetServer"] = ["Garnet.Bench", "Garnet.Cli", "Garnet.Hosting"],
    };

    private static IEnumerable<string> Projects => SourceTree.Files.Where(file => file.EndsWith(".csproj", StringComparison.Ordinal));

    [Fact]
    public void References_point_one_way()
    {
        var offences = new List<string>();
        foreach (string project in Projects.Where(IsProduct))
        {
            string name = Path.GetFileNameWithoutExtension(project);
            if (!Allowed.TryGetValue(name, out string[]? allowed))
            {
                offences.Add($"{name} is not in the list of rooms");
                continue;
            }

            offences.AddRange(
                References(project).Where(reference => !allowed.Contains(reference)).Select(reference => $"{name} -> {reference}")
            );
        }

        Offences.AssertNone(offences);
    }

    [Fact]
    public void Server_does_not_refer_to_sockets()
    {
        string[] offences =
        [
            .. SourceTree
                .CSharpFiles(
                    "libs/Garnet.Engine/",
                    "libs/Garnet.Commands/",
                    "libs/Garnet.Server/",
                    "libs/Garnet.Store/",
                    "libs/Garnet.Protocol/"
                )
                .Where(file => SourceTree.Text(file).Contains("System.Net.Sockets", StringComparison.Ordinal)),
        ];
        Offences.AssertNone(offences);
    }

    [Fact]
    public void The_solution_holds_every_project()
    {
        string solution = File.ReadAllText(RepositoryRoot.Combine("Garnet.sln")).Replace('\\', '/');
        Assert.NotEmpty(Projects);
        Offences.AssertNone(Projects.Where(project => !solution.Contains($"\"{project}\"", StringComparison.Ordinal)));
    }

    [Fact]
    public void Package_versions_are_in_one_file()
    {
        IEnumerable<string> offences = Projects.Where(project =>
            XDocument
                .Parse(SourceTree.Text(project))
                .Descendants("PackageReference")
                .Any(reference => reference.Attribute("Version") is not null || reference.Attribute("VersionOverride") is not null)
        );
        Offences.AssertNone(offences);
    }

    [Fact]
    public void The_prefix_of_packages_and_libraries_is_defined_in_one_place()
    {
        const string Place = "Directory.Build.props";
        string prefix = XDocument.Parse(SourceTree.Text(Place)).Descendants("ProductPrefix").Single().Value;
        Assert.NotEmpty(prefix);
        IEnumerable<string> makers = SourceTree.Files.Where(static file =>
            file != Place
            && (file.EndsWith(".props", StringComparison.Ordinal) || file.EndsWith(".targets", StringComparison.Ordinal) || IsProduct(file))
        );
        Offences.AssertNone(makers.Where(file => Regex.IsMatch(SourceTree.Text(file), $@"\b{prefix}\b")));
    }

    private static bool IsProduct(string project) =>
        project.StartsWith("libs/", StringComparison.Ordinal) || project.StartsWith("src/", StringComparison.Ordinal);

    private static IEnumerable<string> References(string project) =>
        XDocument
            .Parse(SourceTree.Text(project))
            .Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value.Replace('\\', '/')));
}
