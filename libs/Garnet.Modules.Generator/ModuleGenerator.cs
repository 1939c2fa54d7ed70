// Writes for each module what a server has to know of it. Runs inside the compiler, on its threads.
using System.Collections.Immutable;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Garnet.Modules.Generator;

/// <summary>
/// Finds classes with [Module], and generates from the signatures of their commands the code that reads the arguments, opens the keys and
/// calls the methods.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class ModuleGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<GeneratedModule> modules = context.SyntaxProvider.ForAttributeWithMetadataName(
            KnownNames.ModuleAttribute,
            static (_, _) => true,
            static (found, _) => ModuleReader.Read((INamedTypeSymbol)found.TargetSymbol, found.Attributes[0])
        );
        context.RegisterSourceOutput(modules, Write);
    }

    private static void Write(SourceProductionContext context, GeneratedModule module)
    {
        foreach (Diagnostic diagnostic in module.Diagnostics)
            context.ReportDiagnostic(diagnostic);
        if (module.Source.Length > 0)
            context.AddSource(module.FileName, SourceText.From(module.Source, Encoding.UTF8));
    }
}
