// Reads a module's class. Stateless.
using System.Collections.Immutable;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Garnet.Modules.Generator;

/// <summary>Turns a class into code.</summary>
internal static class ModuleReader
{
    private const int MaxNameLength = 64;

    public static GeneratedModule Read(INamedTypeSymbol type, AttributeData attribute)
    {
        ImmutableArray<Diagnostic>.Builder mistakes = ImmutableArray.CreateBuilder<Diagnostic>();
        string name = attribute.ConstructorArguments.FirstOrDefault().Value as string ?? "";
        int version = attribute.NamedArguments.FirstOrDefault(static pair => pair.Key == "Version").Value.Value as int? ?? 1;
        if (!IsModule(type))
            mistakes.Add(Diagnostic.Create(Mistakes.Class, type.Locations[0], type.Name));
        if (name.Length is 0 or > MaxNameLength || !name.All(IsNameCharacter))
            mistakes.Add(Diagnostic.Create(Mistakes.ModuleName, type.Locations[0], name));

        List<CommandMethod> commands = [];
        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        foreach (IMethodSymbol method in type.GetMembers().OfType<IMethodSymbol>())
        {
            AttributeData? marked = Find(method, KnownNames.CommandAttribute);
            if (marked is null)
                continue;
            var command = CommandMethod.Read(method, marked, mistakes);
            if (!names.Add(command.Name))
                mistakes.Add(Diagnostic.Create(Mistakes.Duplicate, method.Locations[0], command.Name));
            commands.Add(command);
        }

        string full = type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
        string id = Identifier(type.ToDisplayString());
        string source = mistakes.Count > 0 ? "" : ModuleWriter.Write(full, id, name, version, commands);
        return new GeneratedModule(id + ".g.cs", source, mistakes.ToImmutable());
    }

    /// <summary>The attribute of a symbol, or null.</summary>
    public static AttributeData? Find(ISymbol symbol, string attribute) =>
        symbol.GetAttributes().FirstOrDefault(each => each.AttributeClass?.ToDisplayString() == attribute);

    /// <summary>Whether names may contain a character.</summary>
    public static bool IsNameCharacter(char character) =>
        character is (>= 'A' and <= 'Z') or (>= 'a' and <= 'z') or (>= '0' and <= '9') or '-' or '_' or '.';

    /// <summary>Whether generated code in the same assembly may use a symbol.</summary>
    public static bool IsAccessible(ISymbol symbol) =>
        symbol.DeclaredAccessibility is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal;

    private static bool IsModule(INamedTypeSymbol type) =>
        type is { TypeKind: TypeKind.Class, IsAbstract: false, IsGenericType: false, ContainingType: null }
        && IsAccessible(type)
        && type.AllInterfaces.Any(static each => each.ToDisplayString() == KnownNames.Module)
        && type.InstanceConstructors.Any(static each => each.Parameters.Length == 0 && IsAccessible(each));

    private static string Identifier(string name)
    {
        StringBuilder text = new();
        foreach (char character in name)
            text.Append(SyntaxFacts.IsIdentifierPartCharacter(character) ? character : '_');
        return text.ToString();
    }
}
