@echo off
rem Starts Keelscope or runs its tests on Windows, as app/keelscope does elsewhere:
rem   app\keelscope.cmd             the window
rem   app\keelscope.cmd test        all tests
rem   app\keelscope.cmd WORD ...    a command of the engine: run, verify, doctor, ...
setlocal
for %%I in ("%~dp0..") do set "PROJECT=%%~fI"
set "TARGET=%PROJECT%\app\target"

set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
set "VERSION="
for /f "usebackq tokens=3" %%V in (`""%JAVA%" -version 2^>^&1 ^| findstr /i version"`) do if not defined VERSION set "VERSION=%%~V"
if not defined VERSION (
    echo keelscope: there is no Java here, and Keelscope needs a JDK 17 or newer: install one, or set JAVA_HOME to one. 1>&2
    exit /b 1
)
for /f "delims=.-+" %%M in ("%VERSION%") do set "MAJOR=%%M"
if %MAJOR% LSS 17 (
    echo keelscope: the Java here is %VERSION%, but Keelscope needs a JDK 17 or newer: install one, or set JAVA_HOME to one. 1>&2
    exit /b 1
)

if "%~1"=="test" goto test

set "PS=$s = (Get-Item -ErrorAction Stop '%TARGET%\built').LastWriteTime; $n = Get-ChildItem -Recurse -ErrorAction SilentlyContinue"
set "PS=%PS% '%PROJECT%\pom.xml', '%PROJECT%\engine\pom.xml', '%PROJECT%\app\pom.xml', '%PROJECT%\engine\src\main', '%PROJECT%\app\src\main', '%PROJECT%\assets'"
set "PS=%PS% | Where-Object { $_.LastWriteTime -gt $s } | Select-Object -First 1; if ($n) { exit 1 }"
if not exist "%TARGET%\built" goto build
if not exist "%TARGET%\classpath" goto build
powershell -NoProfile -Command "%PS%" >nul 2>&1
if not errorlevel 1 goto start

:build
where mvn >nul 2>&1
if errorlevel 1 (
    echo keelscope: Maven is needed to build Keelscope and is not here: install it from https://maven.apache.org. 1>&2
    exit /b 1
)
echo keelscope: building; the first time this fetches about 300 MB of libraries from Maven Central ... 1>&2
call mvn -q -B -f "%PROJECT%\pom.xml" process-classes
if errorlevel 1 (
    echo keelscope: the build failed; the lines above tell why ^(without the network, libraries cannot be fetched^). 1>&2
    exit /b 1
)
type nul > "%TARGET%\built"

:start
set "FLAGS=-DOPT_OUT_TRACKING=true"
if %MAJOR% GEQ 22 set "FLAGS=%FLAGS% --enable-native-access=ALL-UNNAMED"
if %MAJOR% GEQ 23 set "FLAGS=%FLAGS% --sun-misc-unsafe-memory-access=allow"
rem Through the environment: a command line may not be as long as this class path can get.
for /f "usebackq delims=" %%C in ("%TARGET%\classpath") do set "CLASSPATH=%TARGET%\classes;%PROJECT%\engine\target\classes;%%C"
"%JAVA%" %FLAGS% keelscope.app.Main %*
exit /b %errorlevel%

:test
set "REST="
for /f "tokens=1,*" %%A in ("%*") do set "REST=%%B"
call mvn -B -f "%PROJECT%\pom.xml" --fail-at-end test %REST%
exit /b %errorlevel%
